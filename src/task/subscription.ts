import type { JsonText } from "../json-text.js";
import { promiseOf, type Receiver, type Takeable } from "../take.js";
import type { StreamResponse } from "../versions/pivot.js";
import { afterTick } from "./after-tick.js";
import type { EventRecord } from "./event-record.js";
import type { LiveTask } from "./live-task.js";
import type { Watcher } from "./watcher.js";

type Events = readonly JsonText<StreamResponse>[];

/** How far a subscriber may fall behind. */
export interface SubscriberLimits {
  /** Characters of events that wait for it. Default 1 MiB. */
  readonly size: number;
  /** Events that wait for it. Default 4,096. */
  readonly events: number;
  /** Milliseconds without taking anything, beyond a limit, after which it is cut. Default 5,000. */
  readonly stallMs: number;
}

/** Limits unless told otherwise. */
export const subscriberLimits: SubscriberLimits = { size: 1024 * 1024, events: 4096, stallMs: 5_000 };

/** Characters handed over at a time: a socket that takes nothing holds no more than this. */
const CHUNK = 64 * 1024;

/** What a subscription begins with, and when it ends. */
export interface SubscriptionStart {
  /** Sent first, once the task as it is now is committed: a snapshot, or events that were replayed. */
  readonly lead?: Events;
  /** Revision after which its events begin. */
  readonly cursor: number;
  /** True for an event after which the stream closes. */
  readonly closes: (event: EventRecord) => boolean;
  readonly limits: SubscriberLimits;
}

/**
 * The events of a live task for one listener, in order and without gap, several at a time where they are ready.
 * It is a cursor into the task's log, so it holds no events of its own. One who stops taking is cut: the iteration
 * ends after what was delivered, and a new subscription goes on from there.
 */
export class Subscription implements AsyncIterableIterator<Events, undefined>, Takeable<Events>, Watcher {
  cursor: number;
  readonly #live: LiveTask;
  readonly #closes: (event: EventRecord) => boolean;
  readonly #limits: SubscriberLimits;
  #lead: Events | undefined;
  readonly #from: number;
  #over = false;
  #said = false;
  /** When it last took something, to the next tick; 0 until that. */
  #taken = 0;
  #waiting: Receiver<Events> | undefined;
  #woken = false;

  constructor(live: LiveTask, start: SubscriptionStart) {
    this.#live = live;
    this.#lead = start.lead;
    this.#from = start.lead === undefined ? 0 : live.version;
    this.cursor = start.cursor;
    this.#closes = start.closes;
    this.#limits = start.limits;
    live.observed = true;
    live.watch(this);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  take(receiver: Receiver<Events>): void {
    this.#hand(receiver);
  }

  /** Rejects with the reason where the task is lost before anything was said. */
  next(): Promise<IteratorResult<Events, undefined>> {
    return promiseOf(this);
  }

  return(): Promise<IteratorResult<Events, undefined>> {
    this.#end();
    return Promise.resolve(DONE);
  }

  notify(): void {
    if (this.#waiting === undefined || this.#woken) return;
    this.#woken = true;
    afterTick(() => {
      this.#woken = false;
      const waiting = this.#waiting;
      if (waiting === undefined) return;
      // Taken before the last events are: whoever ends the subscription settles what waits, and must not settle this.
      this.#waiting = undefined;
      this.#hand(waiting);
    });
  }

  /** Answers if there is something to say; else the receiver waits. */
  #hand(receiver: Receiver<Events>): void {
    let result: IteratorResult<Events, undefined> | undefined;
    try {
      result = this.#take();
    } catch (error) {
      receiver.failed(error);
      return;
    }
    if (result === undefined) this.#waiting = receiver;
    else if (result.done === true) receiver.ended();
    else receiver.received(result.value);
  }

  tick(now: number): void {
    if (this.#waiting !== undefined || this.#over) {
      this.#taken = now;
      return;
    }
    if (this.#taken === 0) this.#taken = now;
    const { log, committed } = this.#live;
    const { events, size, stallMs } = this.#limits;
    const behind = committed - this.cursor > events || log.behind(this.cursor, committed, size) > size;
    if (behind && now - this.#taken >= stallMs) this.#end();
  }

  #take(): IteratorResult<Events, undefined> | undefined {
    // The next tick sets the time: asking the clock for every chunk is not worth it.
    this.#taken = 0;
    if (this.#lead !== undefined && !this.#over) {
      if (this.#live.committedVersion < this.#from) {
        return this.#live.lost === undefined ? undefined : this.#close();
      }
      const value = this.#lead;
      this.#lead = undefined;
      if (value.length > 0) return this.#say(value);
    }
    if (this.#over) return DONE;
    const live = this.#live;
    // Events that were dropped here: the listener resumes, and gets what the store still has.
    const gap = this.cursor + 1 < live.log.start;
    const value = gap ? [] : live.log.read(this.cursor, live.committed, CHUNK);
    const closing = value.findIndex(this.#closes);
    if (closing >= 0) value.length = closing + 1;
    const last = value.at(-1);
    if (last === undefined) {
      if (!gap && live.lost === undefined && !this.#ended()) return undefined;
      return this.#close();
    }
    this.cursor = last.n;
    if (closing >= 0) this.#end();
    return this.#say(value);
  }

  #say(value: Events): IteratorResult<Events, undefined> {
    this.#said = true;
    return { done: false, value };
  }

  /** The end; of a lost task that said nothing, there is nothing to resume either, so it is a failure. */
  #close(): IteratorResult<Events, undefined> {
    this.#end();
    if (!this.#said && this.#live.lost !== undefined) throw this.#live.lost;
    return DONE;
  }

  /** Nothing can follow: the last event was taken already, by whoever this one resumes. */
  #ended(): boolean {
    return this.#live.terminal && this.#live.settled && this.cursor >= this.#live.committed;
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#live.unwatch(this);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.ended();
  }
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };
