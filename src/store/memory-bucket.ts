import { TaskChain } from "./task-chain.js";
import type { TaskRecord } from "./task-record.js";
import type { Scope } from "./types.js";

/** The tasks of one scope, with the orders they are listed in. */
export class MemoryBucket {
  readonly scope: Scope;
  readonly tasks = new Map<string, TaskRecord>();
  /** Tasks per state. */
  readonly states = new Map<string, { count: number; readonly terminal: boolean }>();
  /** Tasks that go on and tasks that ended: looking for the few must not pass the many. */
  readonly live = new TaskChain("newer", "older");
  readonly ended = new TaskChain("newer", "older");
  readonly contexts = new Map<string, TaskChain>();

  constructor(scope: Scope) {
    this.scope = { tenant: scope.tenant, owner: scope.owner };
  }

  /** Puts a record where its head says. */
  link(record: TaskRecord): void {
    const { contextId, state, terminal } = record.head;
    (terminal ? this.ended : this.live).insert(record);
    let context = this.contexts.get(contextId);
    if (context === undefined) {
      context = new TaskChain("newerInContext", "olderInContext");
      this.contexts.set(contextId, context);
    }
    context.insert(record);
    const known = this.states.get(state);
    if (known === undefined) this.states.set(state, { count: 1, terminal });
    else known.count += 1;
  }

  /** Takes a record out of all orders, before its head changes. */
  unlink(record: TaskRecord): void {
    const { contextId, state, terminal } = record.head;
    (terminal ? this.ended : this.live).remove(record);
    const context = this.contexts.get(contextId);
    context?.remove(record);
    if (context?.newest === undefined) this.contexts.delete(contextId);
    const known = this.states.get(state);
    if (known !== undefined) known.count -= 1;
  }
}
