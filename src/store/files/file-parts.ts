/** What file stores do beside commits: as in memory, and noted in the files. */
import { memoryConfigs } from "../memory-configs.js";
import type { MemoryData } from "../memory-data.js";
import { memoryLeases } from "../memory-leases.js";
import { memoryMail } from "../memory-mail.js";
import { memoryOutbox } from "../memory-outbox.js";
import type { Letter, TaskStore } from "../types.js";
import type { Change } from "./change.js";
import type { Folder } from "./folder.js";

type Place = Pick<Letter, "scope" | "taskId">;

const noteIn =
  (data: MemoryData, folder: Folder) =>
  ({ scope, taskId }: Place, change: Change): void => {
    const record = data.find(scope, taskId);
    if (record !== undefined) folder.write(record, change);
  };

/** Webhook registrations of a file store. */
export function fileConfigs(data: MemoryData, folder: Folder): TaskStore["configs"] {
  const memory = memoryConfigs(data);
  const note = noteIn(data, folder);
  return {
    ...memory,
    put(scope, taskId, config) {
      const put = memory.put(scope, taskId, config);
      if (put === true) note({ scope, taskId }, { kind: "config", config });
      return put;
    },
    delete(scope, taskId, id) {
      const deleted = memory.delete(scope, taskId, id);
      note({ scope, taskId }, { kind: "unconfig", id });
      return deleted;
    },
  };
}

/** Deliveries of a file store. Claims are not noted: whoever opens the folder next is the only one who delivers. */
export function fileOutbox(data: MemoryData, folder: Folder): TaskStore["outbox"] {
  const memory = memoryOutbox(data);
  const note = noteIn(data, folder);
  return {
    ...memory,
    ack(delivery, { retryAt } = {}) {
      const { configId, n, holder, scope, taskId } = delivery;
      const waiting = data.find(scope, taskId)?.outbox?.get(configId);
      const found = waiting?.find((row) => row.n === n);
      if (found === undefined || (retryAt !== undefined && found.holder !== holder)) return;
      void memory.ack(delivery, retryAt === undefined ? {} : { retryAt });
      note(delivery, { kind: "delivery", configId, n, ...(retryAt !== undefined && { due: retryAt }) });
    },
  };
}

/** Leases of a file store. */
export function fileLeases(data: MemoryData, folder: Folder): TaskStore["lease"] {
  const memory = memoryLeases(data);
  const note = noteIn(data, folder);
  return {
    ...memory,
    acquire(scope, taskId, holder, now, ttl) {
      if (memory.acquire(scope, taskId, holder, now, ttl) === undefined) return undefined;
      const lease = data.find(scope, taskId)?.lease;
      if (lease !== undefined) note({ scope, taskId }, { kind: "lease", lease });
      return lease;
    },
    renew: (leases, expires) =>
      leases.map((one) => {
        const record = data.find(one.scope, one.taskId);
        if (record?.lease?.holder !== one.lease.holder || record.lease.fence !== one.lease.fence)
          return false;
        record.lease = { ...record.lease, expires };
        note(one, { kind: "lease", lease: record.lease });
        return true;
      }),
  };
}

/** Letters of a file store. */
export function fileMail(data: MemoryData, folder: Folder): TaskStore["mail"] {
  const memory = memoryMail(data);
  const note = noteIn(data, folder);
  return {
    ...memory,
    post(letter) {
      const seq = data.letter;
      const posted = memory.post(letter);
      // The number moves on where the letter was new.
      if (data.letter > seq) note(letter, { kind: "letter", id: letter.id, text: letter.text, seq });
      return posted;
    },
    answer(letter, text) {
      const answered = memory.answer(letter, text);
      if (answered === true) note(letter, { kind: "answer", id: letter.id, text });
      return answered;
    },
    collect(letter, options = {}) {
      const answer = memory.collect(letter, options);
      if (answer !== undefined && options.keep !== true) note(letter, { kind: "collect", id: letter.id });
      return answer;
    },
  };
}
