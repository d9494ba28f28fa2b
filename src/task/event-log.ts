import type { EventRecord } from "./event-record.js";

/** The events of a task since it became live, by revision: what subscribers read, each at its own pace. */
export class EventLog {
  /** Revision of the first event that is kept. */
  start: number;
  readonly #records: EventRecord[] = [];

  /** `revision`: of the task before the first event. */
  constructor(revision: number) {
    this.start = revision + 1;
  }

  get length(): number {
    return this.#records.length;
  }

  push(record: EventRecord): void {
    this.#records.push(record);
  }

  /** Events with `after < n`. */
  since(after: number): EventRecord[] {
    return this.#records.slice(after + 1 - this.start);
  }

  /** Events with `after < n ≤ upTo`, until they make up `size` characters. */
  read(after: number, upTo: number, size: number): EventRecord[] {
    const events: EventRecord[] = [];
    for (let n = after + 1, sum = 0; n <= upTo && sum < size; n += 1) {
      const record = this.#records[n - this.start];
      if (record === undefined) break;
      events.push(record);
      sum += record.size;
    }
    return events;
  }

  /** Characters of the events with `after < n ≤ upTo`, counted until `limit` is passed. */
  behind(after: number, upTo: number, limit: number): number {
    let sum = 0;
    for (let n = after + 1; n <= upTo && sum <= limit; n += 1)
      sum += this.#records[n - this.start]?.size ?? 0;
    return sum;
  }

  /** Drops the events with `n < first`. */
  drop(first: number): void {
    if (first <= this.start) return;
    this.#records.splice(0, first - this.start);
    this.start = first;
  }
}
