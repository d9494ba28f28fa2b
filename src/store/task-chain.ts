import type { TaskRecord } from "./task-record.js";

/** Records in the order of a listing: newest status first, ties by descending id. A change of status costs no search. */
export class TaskChain {
  newest: TaskRecord | undefined;
  #oldest: TaskRecord | undefined;
  readonly #newer: "newer" | "newerInContext";
  readonly #older: "older" | "olderInContext";

  constructor(newer: "newer" | "newerInContext", older: "older" | "olderInContext") {
    this.#newer = newer;
    this.#older = older;
  }

  /** The next in the order. */
  after(record: TaskRecord): TaskRecord | undefined {
    return record[this.#older];
  }

  /** The first record that comes after a position. */
  seek(timestamp: string, id: string): TaskRecord | undefined {
    let record = this.newest;
    while (record !== undefined && !isBefore(timestamp, id, record)) record = record[this.#older];
    return record;
  }

  insert(record: TaskRecord): void {
    let older = this.newest;
    // The clock goes forward, so this ends at once but for odd clocks.
    while (older !== undefined && !isBefore(record.head.timestamp, record.id, older))
      older = older[this.#older];
    const newer = older === undefined ? this.#oldest : older[this.#newer];
    record[this.#older] = older;
    record[this.#newer] = newer;
    if (older === undefined) this.#oldest = record;
    else older[this.#newer] = record;
    if (newer === undefined) this.newest = record;
    else newer[this.#older] = record;
  }

  remove(record: TaskRecord): void {
    const older = record[this.#older];
    const newer = record[this.#newer];
    if (older === undefined) this.#oldest = newer;
    else older[this.#newer] = newer;
    if (newer === undefined) this.newest = older;
    else newer[this.#older] = older;
    record[this.#older] = record[this.#newer] = undefined;
  }
}

/** True where a task of this time and id is listed before `record`. */
export const isBefore = (timestamp: string, id: string, { head, id: other }: TaskRecord): boolean =>
  timestamp === head.timestamp ? id > other : timestamp > head.timestamp;
