import type {
  CommitEntry,
  CommitResult,
  MaybePromise,
  Scope,
  Snapshot,
  StoredEvent,
  StoredTask,
  TaskHead,
  TaskStore,
} from "../../store/types.js";

/** One rule of the store contract. */
export interface ConformanceCase {
  readonly name: string;
  run(make: Make): Promise<void>;
}

/** Gives a case its store; `again` closes one of them and opens its data anew: undefined where that cannot be. */
export interface Make {
  (options: ConformanceStoreOptions): Promise<TaskStore>;
  again(store: TaskStore): Promise<TaskStore | undefined>;
}

/** Bounds that a case needs of its store. */
export interface ConformanceStoreOptions {
  /** Milliseconds that finished tasks are kept. */
  readonly ttl?: number;
  /** Milliseconds that events of finished tasks are kept. */
  readonly replayWindow?: number;
  /** Events kept of one task. */
  readonly maxEvents?: number;
}

/** A store, and how another one is opened on the same data after it was closed. */
export interface ReopenableStore {
  readonly store: TaskStore;
  reopen(): MaybePromise<TaskStore>;
}

/** Gives an empty store; one whose data outlive it says how they are opened again. */
export type MakeStore = (options: ConformanceStoreOptions) => MaybePromise<TaskStore | ReopenableStore>;

/** Two scopes of one tenant that must not see each other's tasks. */
export const alice: Scope = { tenant: "t1", owner: "alice" };
/** See `alice`. */
export const bob: Scope = { tenant: "t1", owner: "bob" };

/** States as a store sees them: text. */
export const SUBMITTED = "TASK_STATE_SUBMITTED";
/** A task that goes on. */
export const WORKING = "TASK_STATE_WORKING";
/** A task at rest that is not over. */
export const INPUT_REQUIRED = "TASK_STATE_INPUT_REQUIRED";
/** A task that is over. */
export const COMPLETED = "TASK_STATE_COMPLETED";

/** Time of a status: `at(3)` is three seconds after a fixed instant. */
export const at = (seconds: number): string => new Date(Date.UTC(2030, 0, 1) + seconds * 1000).toISOString();
/** The same in milliseconds. */
export const msAt = (seconds: number): number => Date.UTC(2030, 0, 1) + seconds * 1000;

export const head = (state: string, seconds = 0, contextId = "c1"): TaskHead => ({
  contextId,
  state,
  timestamp: at(seconds),
  terminal: state === COMPLETED,
});

export const event = (n: number, text = `{"n":${String(n)}}`): StoredEvent => ({ n, text });

/** Text of a task in a store test: any JSON will do. */
export const taskText = (id: string, note = ""): string => JSON.stringify({ id, note });

/** The entry that creates a task. */
export const birth = (id: string, more: Partial<CommitEntry> = {}): CommitEntry => ({
  scope: alice,
  taskId: id,
  expect: 0,
  fence: 0,
  head: head(SUBMITTED),
  events: [event(1)],
  snapshot: { at: 1, received: 0, text: taskText(id) },
  ...more,
});

/** An entry with events `from`…`to` on top of what is there. */
export const append = (
  id: string,
  from: number,
  to: number,
  more: Partial<CommitEntry> = {},
): CommitEntry => ({
  scope: alice,
  taskId: id,
  expect: from - 1,
  fence: 0,
  events: Array.from({ length: to - from + 1 }, (_, i) => event(from + i)),
  ...more,
});

/** The entry that ends a task at revision `n`. */
export const finish = (id: string, n: number, seconds = 0, more: Partial<CommitEntry> = {}): CommitEntry =>
  append(id, n, n, {
    head: head(COMPLETED, seconds),
    snapshot: { at: n, received: 0, text: taskText(id, "done") },
    ...more,
  });

/** Numbers of the events of a task as read. */
export const numbers = (task: StoredTask | undefined): number[] | undefined => task?.events.map(({ n }) => n);

/** A snapshot up to revision `at`. */
export const snapshotAt = (id: string, revision: number, received = 0): Snapshot => ({
  at: revision,
  received,
  text: taskText(id, `at ${String(revision)}`),
});

/** Commits one entry. */
export async function commit(store: TaskStore, entry: CommitEntry): Promise<CommitResult | undefined> {
  return (await store.commit([entry]))[0];
}

/** A task in a state, at a time, in a context. */
export async function put(
  store: TaskStore,
  id: string,
  state: string,
  seconds: number,
  contextId = "c1",
  scope = alice,
): Promise<void> {
  await store.commit([birth(id, { scope, head: head(state, seconds, contextId) })]);
}
