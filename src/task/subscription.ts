import type { JsonText } from "../json-text.js";
import { promiseOf, type Receiver, type Takeable } from "../take.js";
import type { StreamResponse } from "../versions/pivot.js";
import { afterTick, turn } from "./after-tick.js";
import { Backlog } from "./backlog.js";
import type { FollowedEvent } from "./followed-event.js";
import type { FollowedTask } from "./followed-task.js";
import type { SubscriberLimits } from "./subscriber-limits.js";
import type { Watcher } from "./watcher.js";

type Events = readonly JsonText<StreamResponse>[];

/** Characters handed over at a time: a socket that takes nothing holds no more than this. */
const CHUNK = 64 * 1024;

/** What a subscription begins with, and when it ends. */
export interface SubscriptionStart {
  /** Sent first, once the task as it is now is committed: a snapshot, or events that were replayed. */
  readonly lead?: Events;
  /** Revision after which its events begin. */
  readonly cursor: number;
  /** True for an event after which the stream closes. */
  readonly closes: (event: FollowedEvent) => boolean;
  /** The same task as other instances go on with it, where it can be followed there. */
  readonly elsewhere?: () => FollowedTask | undefined;
  readonly limits: SubscriberLimits;
}

/**
 * The events of a task for one listener, in order and without gap, several at a time where they are ready.
 * It is a cursor into the task's log, so it holds no events of its own; one who is far behind goes on from the store. One
 * who stops taking is cut: the iteration ends after what was delivered, and a new subscription goes on from there.
 */
export class Subscription implements AsyncIterableIterator<Events, undefined>, Takeable<Events>, Watcher {
  cursor: number;
  #task: FollowedTask;
  #elsewhere: SubscriptionStart["elsewhere"];
  readonly #closes: (event: FollowedEvent) => boolean;
  readonly #limits: SubscriberLimits;
  #lead: Events | undefined;
  #from: number;
  /** Where it reads on, while it is too far behind for the log. */
  #backlog: Backlog | undefined;
  /** Characters up to the cursor, as the log counts them. */
  #passed: number;
  #over = false;
  #said = false;
  /** When it last took something, to the next tick; 0 until that. */
  #taken = 0;
  /** When it last took something, or began. */
  #turn = turn();
  #waiting: Receiver<Events> | undefined;
  #woken = false;

  constructor(task: FollowedTask, start: SubscriptionStart) {
    this.#task = task;
    this.#lead = start.lead;
    this.#from = start.lead === undefined ? 0 : task.version;
    this.cursor = start.cursor;
    this.#passed = task.log.totalAt(start.cursor);
    this.#closes = start.closes;
    this.#elsewhere = start.elsewhere;
    this.#limits = start.limits;
    task.observed = true;
    task.watch(this);
  }

  get reading(): boolean {
    return this.#waiting !== undefined || this.#turn === turn();
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
    const { log, committed } = this.#task;
    const { events, size, stallMs } = this.#limits;
    const behind = committed - this.cursor > events || log.total - this.#passed > size;
    if (behind && now - this.#taken >= stallMs) this.#end();
  }

  #take(): IteratorResult<Events, undefined> | undefined {
    // The next tick sets the time: asking the clock for every chunk is not worth it.
    this.#taken = 0;
    this.#turn = turn();
    if (this.#lead !== undefined && !this.#over) {
      if (!this.#leadHolds()) return this.#task.lost === undefined ? undefined : this.#close();
      const value = this.#lead;
      this.#lead = undefined;
      if (value.length > 0) return this.#say(value);
    }
    if (this.#over) return DONE;
    let value = this.#events();
    if (value === undefined) return undefined;
    let closing = false;
    let taken = 0;
    for (const event of value) {
      taken += 1;
      this.cursor = event.n;
      this.#passed += event.size;
      closing = event.state !== undefined && this.#closes(event);
      if (closing) break;
    }
    // Others may have the same list.
    if (taken < value.length) value = value.slice(0, taken);
    if (taken === 0) {
      const { log, lost } = this.#task;
      // Events that cannot be had: the listener resumes, and gets what is still kept.
      const gap = !log.reaches(this.cursor);
      if (gap || this.#ended()) return this.#close();
      if (lost === undefined) return undefined;
      return this.#go() ? this.#take() : this.#close();
    }
    if (closing) this.#end();
    return this.#say(value);
  }

  /** The next events. Undefined where the store is asked for them. */
  #events(): readonly FollowedEvent[] | undefined {
    const { log, committed } = this.#task;
    if (!log.reaches(this.cursor)) {
      this.#backlog ??= new Backlog(this.#task, () => {
        this.notify();
      });
      return this.#backlog.read(this.cursor, CHUNK);
    }
    if (this.#backlog !== undefined) {
      this.#backlog = undefined;
      // What a store gives is counted a little differently.
      this.#passed = log.totalAt(this.cursor);
    }
    return log.read(this.cursor, committed, CHUNK);
  }

  /** The task that it begins with is one that others may see. */
  #leadHolds(): boolean {
    return this.#task.committedVersion >= this.#from;
  }

  leave(): void {
    if (this.#over || (this.#lead !== undefined && !this.#leadHolds())) return;
    if (this.#go()) this.notify();
  }

  /** Goes on with what other instances make of the task; false where it cannot be followed there. */
  #go(): boolean {
    const task = this.#elsewhere?.();
    if (task === undefined || task === this.#task || task.lost !== undefined) return false;
    this.#task.unwatch(this);
    this.#task = task;
    // It follows whoever works on it: there is nowhere to go from there.
    this.#elsewhere = undefined;
    this.#from = 0;
    this.#backlog = undefined;
    this.#passed = task.log.totalAt(this.cursor);
    task.watch(this);
    return true;
  }

  #say(value: Events): IteratorResult<Events, undefined> {
    this.#said = true;
    return { done: false, value };
  }

  /** The end; of a lost task that said nothing, there is nothing to resume either, so it is a failure. */
  #close(): IteratorResult<Events, undefined> {
    this.#end();
    if (!this.#said && this.#task.lost !== undefined) throw this.#task.lost;
    return DONE;
  }

  /** Nothing can follow: the last event was taken already, by whoever this one resumes. */
  #ended(): boolean {
    return this.#task.terminal && this.#task.settled && this.cursor >= this.#task.committed;
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#backlog = undefined;
    this.#task.unwatch(this);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.ended();
  }
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };
