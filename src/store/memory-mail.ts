import type { MemoryData } from "./memory-data.js";
import type { Letter, TaskStore } from "./types.js";

/** Letters of a memory store. */
export const memoryMail = (data: MemoryData): TaskStore["mail"] => ({
  post(letter) {
    const record = data.find(letter.scope, letter.taskId);
    if (record === undefined || record.head.terminal) return false;
    record.letters ??= new Map();
    if (record.letters.has(letter.id)) return true;
    const kept = { record, letter, seq: data.letter, answer: undefined };
    data.letter += 1;
    record.letters.set(letter.id, kept);
    data.unanswered.add(kept);
    return true;
  },
  waiting(holder, limit) {
    const found: Letter[] = [];
    for (const { record, letter } of data.unanswered) {
      if (found.length >= limit) break;
      if (record.lease?.holder === holder) found.push(letter);
    }
    return found;
  },
  answer({ scope, taskId, id }, text) {
    const record = data.find(scope, taskId);
    return record !== undefined && data.answer(record, id, text);
  },
  collect({ scope, taskId, id }, { keep = false } = {}) {
    const record = data.find(scope, taskId);
    const answer = record?.letters?.get(id)?.answer;
    if (answer !== undefined && !keep) record?.letters?.delete(id);
    return answer;
  },
});
