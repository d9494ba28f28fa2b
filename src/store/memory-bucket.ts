import { IdTable } from "../id-table.js";
import { inContext, inScope, insertRecord, removeRecord } from "./task-chain.js";
import type { TaskRecord } from "./task-record.js";
import type { Scope, TaskHead } from "./types.js";

/** The tasks of one scope, with the orders they are listed in. */
export class MemoryBucket {
  readonly scope: Scope;
  readonly tasks = new IdTable<TaskRecord>();
  /** Tasks per state. */
  readonly states = new Map<string, { count: number; readonly terminal: boolean }>();
  /** Newest of the tasks that go on, and of those that ended: looking for the few must not pass the many. */
  live: TaskRecord | undefined;
  ended: TaskRecord | undefined;
  /** Newest task of each context. */
  readonly contexts = new Map<string, TaskRecord>();

  constructor(scope: Scope) {
    this.scope = { tenant: scope.tenant, owner: scope.owner };
  }

  /** Puts a record where its head says. */
  link(record: TaskRecord): void {
    const { contextId, state, terminal } = record.head;
    this.#intoScope(record);
    const newest = this.contexts.get(contextId);
    const now = insertRecord(inContext, newest, record);
    if (now !== newest) this.contexts.set(contextId, now);
    this.#count(state, terminal, 1);
  }

  /** Takes a record out of all orders. */
  unlink(record: TaskRecord): void {
    const { contextId, state, terminal } = record.head;
    this.#outOfScope(record);
    const newest = this.contexts.get(contextId);
    const now = removeRecord(inContext, newest, record);
    if (now === undefined) this.contexts.delete(contextId);
    else if (now !== newest) this.contexts.set(contextId, now);
    this.#count(state, terminal, -1);
  }

  /** Gives a record a new head, and its place. */
  move(record: TaskRecord, head: TaskHead): void {
    const { contextId, timestamp } = record.head;
    if (head.contextId !== contextId || record.newerInContext !== undefined || head.timestamp < timestamp) {
      this.unlink(record);
      record.head = head;
      this.link(record);
      return;
    }
    // The newest of its context stays that.
    this.#outOfScope(record);
    this.#count(record.head.state, record.head.terminal, -1);
    record.head = head;
    this.#intoScope(record);
    this.#count(head.state, head.terminal, 1);
  }

  #intoScope(record: TaskRecord): void {
    if (record.head.terminal) this.ended = insertRecord(inScope, this.ended, record);
    else this.live = insertRecord(inScope, this.live, record);
  }

  #outOfScope(record: TaskRecord): void {
    if (record.head.terminal) this.ended = removeRecord(inScope, this.ended, record);
    else this.live = removeRecord(inScope, this.live, record);
  }

  #count(state: string, terminal: boolean, change: number): void {
    const known = this.states.get(state);
    if (known === undefined) this.states.set(state, { count: change, terminal });
    else known.count += change;
  }
}
