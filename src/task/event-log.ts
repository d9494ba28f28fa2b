import type { FollowedEvent } from "./followed-event.js";

/** What stays of what is committed, for those who are not far behind: characters and events. Others read from the store. */
const KEEP = { size: 256 * 1024, events: 1024 };
/** Share of what there is that may come on top before the log is looked at again. */
const SLACK = 0.25;

/** The newest events of a task, by revision: what subscribers read, each at its own pace. */
export class EventLog<E extends FollowedEvent = FollowedEvent> {
  /** Revision of the first event that is kept. */
  start: number;
  /** Characters of all events so far, those before the log began left out. */
  total = 0;
  readonly #records: E[] = [];
  /** What was read last: all who follow closely read the same. */
  #last: Read<E> | undefined;
  #size = 0;
  /** Where it is full. */
  #mostSize = KEEP.size * (1 + SLACK);
  #mostEvents = KEEP.events * (1 + SLACK);

  /** `revision`: of the task before the first event. */
  constructor(revision: number) {
    this.start = revision + 1;
  }

  get length(): number {
    return this.#records.length;
  }

  /** There is more than stays where nobody needs it. */
  get long(): boolean {
    return this.#size > KEEP.size || this.#records.length > KEEP.events;
  }

  /** It has grown so much that it is time to look at who needs what. */
  get full(): boolean {
    return this.#size > this.#mostSize || this.#records.length > this.#mostEvents;
  }

  push(record: E): void {
    this.#records.push(record);
    this.#size += record.size;
    this.total += record.size;
  }

  /** Whether it has all events after a revision. */
  reaches(after: number): boolean {
    return after + 1 >= this.start;
  }

  /** Events with `after < n`. */
  since(after: number): E[] {
    return this.#records.slice(after + 1 - this.start);
  }

  /** Events with `after < n ≤ upTo`, until they make up `size` characters. Whoever asks for the same gets the same list. */
  read(after: number, upTo: number, size: number): readonly E[] {
    // Whoever took the last asks again at once: that answer must not take the place of the one that the next listener gets.
    if (after >= upTo) return [];
    const last = this.#last;
    if (last?.after === after && last.upTo === upTo && last.size === size) return last.events;
    const events: E[] = [];
    for (let n = after + 1, sum = 0; n <= upTo && sum < size; n += 1) {
      const record = this.#records[n - this.start];
      if (record === undefined) break;
      events.push(record);
      sum += record.size;
    }
    this.#last = { after, upTo, size, events };
    return events;
  }

  /** `total` as it was after a revision; as it was before the log where it does not reach back so far. */
  totalAt(revision: number): number {
    let sum = 0;
    for (let i = Math.max(0, revision + 1 - this.start); i < this.#records.length; i += 1)
      sum += this.#records[i]?.size ?? 0;
    return this.total - sum;
  }

  /** Events up to a revision cannot be had: it goes on after that. */
  skipTo(revision: number): void {
    this.#last = undefined;
    this.#records.length = 0;
    this.#size = 0;
    this.start = revision + 1;
  }

  /** Drops all but the newest, and the events with `n ≥ needed`. */
  trim(needed: number): void {
    let size = this.#size;
    let gone = 0;
    const most = Math.min(needed - this.start, this.#records.length);
    while (gone < most && (size > KEEP.size || this.#records.length - gone > KEEP.events)) {
      size -= this.#records[gone]?.size ?? 0;
      gone += 1;
    }
    if (gone > 0) {
      this.#records.splice(0, gone);
      this.#last = undefined;
    }
    this.start += gone;
    this.#size = size;
    this.#mostSize = Math.max(KEEP.size, size) * (1 + SLACK);
    this.#mostEvents = Math.max(KEEP.events, this.#records.length) * (1 + SLACK);
  }
}

/** A question to the log, and its answer. */
interface Read<E> {
  readonly after: number;
  readonly upTo: number;
  readonly size: number;
  readonly events: readonly E[];
}
