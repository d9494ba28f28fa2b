import type { CommitEntry, CommitResult, StoredConfig, StoredEvent, StoredMessage } from "../types.js";
import type { TaskKey } from "../sql/keys.js";
import { applyEntry, checkEntry, type TaskState } from "../sql/task-state.js";

/** What a batch does to one task. */
export interface TaskPlan {
  readonly key: TaskKey;
  readonly scope: CommitEntry["scope"];
  readonly taskId: string;
  /** As it is stored; undefined where there is none. */
  readonly before: TaskState | undefined;
  /** As it will be; the same object where nothing is written. */
  state: TaskState | undefined;
  snapshot: CommitEntry["snapshot"];
  /** Events of each entry. */
  readonly commits: (readonly StoredEvent[])[];
  readonly messages: StoredMessage[];
  readonly configs: Map<string, StoredConfig>;
  readonly outbox: NonNullable<CommitEntry["outbox"]>[number][];
  readonly answers: { readonly id: string; readonly text: string }[];
}

/** A plan that does nothing yet. */
export const planFor = (
  { scope, taskId }: CommitEntry,
  key: TaskKey,
  before: TaskState | undefined,
): TaskPlan => ({
  key,
  scope,
  taskId,
  before,
  state: before,
  snapshot: undefined,
  commits: [],
  messages: [],
  configs: new Map(),
  outbox: [],
  answers: [],
});

/** Adds an entry to the plan of its task, unless it is refused. */
export function planEntry(plan: TaskPlan, entry: CommitEntry, maxEvents: number): CommitResult {
  const result = checkEntry(entry, plan.state);
  if (result !== "ok") return result;
  plan.state = applyEntry(entry, plan.state, maxEvents);
  plan.snapshot = entry.snapshot ?? plan.snapshot;
  if (entry.events.length > 0) plan.commits.push(entry.events);
  if (entry.messages !== undefined) plan.messages.push(...entry.messages);
  for (const config of entry.configs ?? []) plan.configs.set(config.id, config);
  if (entry.outbox !== undefined) plan.outbox.push(...entry.outbox);
  if (entry.answers !== undefined) plan.answers.push(...entry.answers);
  return "ok";
}

/** Changes of the counters: `tenant`, `owner`, `state`, by how much. */
export function countChanges(plans: Iterable<TaskPlan>): [string, string, string, number][] {
  const changes = new Map<string, [string, string, string, number]>();
  const count = ([tenant, owner]: TaskKey, { head }: TaskState, by: number): void => {
    const { state } = head;
    const name = JSON.stringify([tenant, owner, state]);
    const known = changes.get(name);
    if (known === undefined) changes.set(name, [tenant, owner, state, by]);
    else known[3] += by;
  };
  for (const { key, before, state } of plans) {
    if (before?.head.state === state?.head.state) continue;
    if (before !== undefined) count(key, before, -1);
    if (state !== undefined) count(key, state, 1);
  }
  return [...changes.values()].filter(([, , , by]) => by !== 0);
}
