import type { MemoryData } from "./memory-data.js";
import type { TaskStore } from "./types.js";

/** Letters of a memory store. */
export const memoryMail = (data: MemoryData): TaskStore["mail"] => ({
  post(letter) {
    const record = data.find(letter.scope, letter.taskId);
    if (record === undefined || record.head.terminal) return false;
    record.letters ??= new Map();
    if (!record.letters.has(letter.id)) record.letters.set(letter.id, { letter, answer: undefined });
    data.addressed.add(record);
    return true;
  },
  waiting(holder, limit) {
    const found = [];
    for (const record of data.addressed) {
      if (record.letters === undefined || record.letters.size === 0) data.addressed.delete(record);
      if (record.lease?.holder !== holder) continue;
      for (const { letter, answer } of record.letters?.values() ?? []) {
        if (answer === undefined && found.length < limit) found.push(letter);
      }
    }
    return found;
  },
  answer: ({ scope, taskId, id }, text) => data.find(scope, taskId)?.answer(id, text) ?? false,
  collect({ scope, taskId, id }) {
    const record = data.find(scope, taskId);
    const answer = record?.letters?.get(id)?.answer;
    if (answer !== undefined) record?.letters?.delete(id);
    return answer;
  },
});
