/** What is done to a store and to the reference, side by side; each step compares what both say. */
import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import type { CommitEntry, Delivery, ListPage, Scope, StoredTask, TaskStore } from "../../../src/server.js";
import type { Reference } from "./reference.js";

/** A store under test, and what the steps before did. */
export interface Real {
  store: TaskStore;
  /** Opens the data again; absent where they end with the store. */
  reopen?: () => Promise<TaskStore>;
  /** Claims of deliveries end with the store. */
  readonly forgetsClaims?: boolean;
  now: number;
  readonly claimed: Delivery[];
  /** Makes texts that differ. */
  count: number;
}

export const scopes: readonly Scope[] = ["alice", "bob"].map((owner) => ({ tenant: "t", owner }));
const scope = fc.constantFrom(...scopes);
const id = fc.constantFrom("a", "b", "c");
const place = fc.record({ scope, taskId: id });
const holder = fc.constantFrom("me", "you");
const config = fc.constantFrom("x", "y");
const letter = fc.constantFrom("1", "2", "3");
const STATES = { work: "WORKING", pause: "TASK_STATE_INPUT_REQUIRED", finish: "COMPLETED" } as const;

const time = (ms: number): string => new Date(ms).toISOString();

/** A task as both sides give it, in one shape. */
const plain = (task: StoredTask | undefined): unknown =>
  task && {
    ...task,
    head: { ...task.head },
    snapshot: { at: task.snapshot.at, received: task.snapshot.received, text: task.snapshot.text },
    events: task.events.map(({ n, text }) => ({ n, text })),
    messages: task.messages.map(({ k, after, text }) => ({ k, after, text })),
    lease: task.lease && { ...task.lease },
  };

const rows = (deliveries: readonly Delivery[]): string[] =>
  deliveries
    .map((row) =>
      [row.scope.owner, row.taskId, row.configId, row.n, row.text, row.attempts, row.holder].join(),
    )
    .sort();

async function same(model: Reference, { store }: Real, at: { scope: Scope; taskId: string }, after?: number) {
  const task = model.find(at.scope, at.taskId);
  const read = await store.read(at.scope, at.taskId, after === undefined ? {} : { after });
  deepEqual(plain(read), plain(task && model.read(task, after)));
}

type Run = (model: Reference, real: Real) => Promise<void>;

class Step implements fc.AsyncCommand<Reference, Real> {
  readonly #name: string;
  readonly #run: Run;

  constructor(name: string, run: Run) {
    this.#name = name;
    this.#run = run;
  }

  check = (): boolean => true;
  run = (model: Reference, real: Real): Promise<void> => this.#run(model, real);
  toString = (): string => this.#name;
}

const step = <T>(
  name: string,
  args: fc.Arbitrary<T>,
  run: (args: T, model: Reference, real: Real) => Promise<void>,
) =>
  args.map((value) => new Step(`${name} ${fc.stringify(value)}`, (model, real) => run(value, model, real)));

const rarely = <T>(value: T, usual: T): fc.Arbitrary<T> => fc.nat(9).map((n) => (n === 0 ? value : usual));

const entryArgs = fc.record({
  place,
  kind: fc.constantFrom("birth", "work", "work", "pause", "finish", "message", "bare"),
  events: fc.integer({ min: 1, max: 4 }),
  snapshot: fc.constantFrom("none", "end", "middle", "ahead"),
  expect: rarely(1, 0),
  fence: fc.constantFrom(0, 0, 0, 0, -1, 1),
  lease: fc.constantFrom("none", "none", "me", "you", "", "release"),
  message: fc.boolean(),
  skipped: rarely(1, 0),
  drop: rarely(true, false),
  config: fc.option(config, { freq: 5 }),
  row: fc.option(config, { freq: 3 }),
  answer: fc.option(letter, { freq: 3 }),
  context: fc.constantFrom("c1", "c2"),
});

/** An entry that builds on what the reference has, or misses it by one. */
function entryOf(
  args: typeof entryArgs extends fc.Arbitrary<infer T> ? T : never,
  model: Reference,
  real: Real,
): CommitEntry {
  const { kind, place } = args;
  const known = model.find(place.scope, place.taskId);
  real.count += 1;
  const mark = String(real.count);
  const revision = known?.revision ?? 0;
  const expect = kind === "birth" ? 0 : revision + args.expect;
  // A lease that nobody holds is taken with a greater fence.
  const nobody = known?.lease?.holder === "" && args.lease !== "none" ? 1 : 0;
  // A fence comes from a lease: a greater one than is known comes with it.
  const step = args.lease === "none" ? Math.min(args.fence, 0) : args.fence;
  const fence = Math.max(0, (known?.fence ?? 0) + step + nobody);
  const many = kind === "message" || kind === "bare" ? 0 : args.events;
  const last = expect + many;
  const birth = known === undefined || kind === "birth";
  const terminal = kind === "finish";
  const at = { none: 0, end: last, middle: Math.max(last - 1, 1), ahead: last + 2 }[args.snapshot];
  const received = known?.received ?? 0;
  const writes = many > 0 || birth;
  const snapshot = birth || terminal ? Math.max(at, last) : at;
  const state = kind in STATES ? STATES[kind as keyof typeof STATES] : "WORKING";
  return {
    ...place,
    ...((writes || args.snapshot === "none") && { expect }),
    fence,
    ...(writes && { head: { contextId: args.context, state, timestamp: time(real.now), terminal } }),
    events: Array.from({ length: many }, (_, i) => ({ n: expect + 1 + i, text: `e${mark}.${String(i)}` })),
    ...(args.message && {
      messages: [{ k: received + 1 + args.skipped, after: revision, text: `m${mark}` }],
    }),
    ...(writes && snapshot > 0 && { snapshot: { at: snapshot, received, text: `s${mark}` } }),
    ...(args.drop && writes && snapshot > 0 && { dropEvents: true }),
    ...(args.config !== null && { configs: [{ id: args.config, text: mark, version: "1.0" }] }),
    ...(args.row !== null && { outbox: [{ configId: args.row, n: real.count, text: mark }] }),
    ...(args.lease === "release" && { lease: null }),
    ...(["me", "you", ""].includes(args.lease) && {
      lease: { holder: args.lease, expires: real.now + 2_500, fence },
    }),
    ...(args.answer !== null && { answers: [{ id: args.answer, text: mark }] }),
  };
}

/** Every step there is, the frequent ones more than once. */
export const steps = [
  ...[1, 2, 3, 4].map(() =>
    step("commit", fc.array(entryArgs, { minLength: 1, maxLength: 3 }), async (all, model, real) => {
      // What an entry builds on is what was there before the batch: some of them are refused.
      const batch = all.map((args) => entryOf(args, model, real));
      const results = await real.store.commit(batch);
      deepEqual(
        [...results],
        batch.map((entry) => model.commit(entry)),
      );
      for (const entry of batch) await same(model, real, entry);
    }),
  ),
  step("read", fc.record({ place, after: fc.nat(12) }), async ({ place, after }, model, real) => {
    const revision = model.find(place.scope, place.taskId)?.revision ?? 0;
    await same(model, real, place, Math.min(after, revision));
  }),
  step(
    "list",
    fc.record({
      scope,
      contextId: fc.option(fc.constantFrom("c1", "c2"), { nil: undefined }),
      state: fc.option(fc.constantFrom(...Object.values(STATES)), { nil: undefined }),
      back: fc.option(fc.nat(5_000), { nil: undefined }),
    }),
    async ({ scope, contextId, state, back }, model, { store, now }) => {
      const query = {
        ...(contextId !== undefined && { contextId }),
        ...(state !== undefined && { state }),
        ...(back !== undefined && { statusTimestampAfter: time(now - back) }),
      };
      const expected = model.list(scope, query);
      const found: string[] = [];
      let pageToken = "";
      do {
        const page: ListPage = await store.list(scope, {
          ...query,
          pageSize: 2,
          ...(pageToken && { pageToken }),
        });
        equal(page.totalSize, expected.length);
        found.push(...page.tasks.map(({ taskId }) => taskId));
        ({ nextPageToken: pageToken } = page);
      } while (pageToken !== "");
      deepEqual(found, expected);
    },
  ),
  ...[1, 2].map(() =>
    step("wait", fc.integer({ min: 1, max: 4 }), (seconds, _model, real) => {
      real.now += seconds * 1_000;
      return Promise.resolve();
    }),
  ),
  step("delete", place, async (at, model, { store }) => {
    const task = model.find(at.scope, at.taskId);
    equal(await store.delete(at.scope, at.taskId), task !== undefined);
    if (task) model.delete(task);
  }),
  step("sweep", fc.constant(null), async (_, model, { store, now }) => {
    equal(await store.sweep(now, 100), model.sweep(now));
  }),
  step("acquire", fc.record({ place, holder }), async ({ place, holder }, model, real) => {
    const task = model.find(place.scope, place.taskId);
    const lease = await real.store.lease.acquire(place.scope, place.taskId, holder, real.now, 1_500);
    deepEqual(lease && { ...lease }, model.acquire(task, holder, real.now, 1_500));
    await same(model, real, place);
  }),
  step(
    "renew",
    fc.record({ holder, past: fc.boolean() }),
    async ({ holder, past }, model, { store, now }) => {
      const expires = past ? now - 500 : now + 3_500;
      const held = model.tasks.filter(({ lease }) => lease);
      const leases = held.flatMap(({ scope, taskId, lease }) =>
        lease ? [{ scope, taskId, lease: { ...lease, holder } }] : [],
      );
      const results = held.map((task) => {
        if (task.lease?.holder !== holder) return false;
        task.lease = { ...task.lease, expires };
        return true;
      });
      deepEqual([...(await store.lease.renew(leases, expires))], results);
    },
  ),
  step("expired", fc.constant(null), async (_, model, { store, now }) => {
    const ids = (all: readonly { scope: Scope; taskId: string }[]): string[] =>
      all.map(({ scope, taskId }) => `${scope.owner} ${taskId}`).sort();
    const over = model.tasks.filter(({ lease }) => lease && lease.expires < now);
    deepEqual(ids(await store.lease.expired(now, 100)), ids(over));
  }),
  step("claim", holder, async (holder, model, real) => {
    const claimed = await real.store.outbox.claim(holder, real.now, 2_500, 100);
    deepEqual(rows(claimed), rows(model.claim(holder, real.now, 2_500)));
    real.claimed.push(...claimed);
  }),
  step("ack", fc.record({ which: fc.nat(), retry: fc.boolean() }), async ({ which, retry }, model, real) => {
    const delivery = real.claimed[which % Math.max(1, real.claimed.length)];
    if (delivery === undefined) return;
    const retryAt = retry ? real.now + 1_500 : undefined;
    await real.store.outbox.ack(delivery, retryAt === undefined ? {} : { retryAt });
    model.ack(delivery, retryAt);
  }),
  step(
    "configs",
    fc.record({ place, id: config, put: fc.boolean() }),
    async ({ place, id, put }, model, real) => {
      const task = model.find(place.scope, place.taskId);
      const { store } = real;
      real.count += 1;
      const one = { id, text: String(real.count), version: "1.0" };
      if (put) {
        equal(await store.configs.put(place.scope, place.taskId, one), task !== undefined);
        if (task) model.putConfig(task, one);
      } else {
        const deleted = await store.configs.delete(place.scope, place.taskId, id);
        equal(deleted, task !== undefined && model.deleteConfig(task, id));
      }
      const { configs } = await store.configs.list(place.scope, place.taskId, { pageSize: 10 });
      deepEqual(
        configs.map(({ id, text, version }) => ({ id, text, version })),
        task?.configs ?? [],
      );
    },
  ),
  step(
    "mail",
    fc.record({ place, id: letter, holder, act: fc.constantFrom("post", "post", "answer", "collect") }),
    async ({ place, id, holder, act }, model, real) => {
      const { mail } = real.store;
      const task = model.find(place.scope, place.taskId);
      real.count += 1;
      const text = String(real.count);
      const one = { ...place, id, text };
      if (act === "post") equal(await mail.post(one), model.post(task, id, text));
      else if (act === "answer") equal(await mail.answer(one, text), model.answer(task, id, text));
      else equal(await mail.collect(one), model.collect(task, id));
      const waiting = await mail.waiting(holder, 100);
      deepEqual(
        waiting.map(({ text }) => text),
        model.waiting(holder),
      );
    },
  ),
  step("reopen", fc.constant(null), async (_, model, real) => {
    if (real.reopen === undefined) return;
    await real.store.close?.();
    real.store = await real.reopen();
    if (real.forgetsClaims) {
      const claims = model.tasks.flatMap(({ outbox }) => outbox.filter(({ holder }) => holder !== ""));
      for (const row of claims) Object.assign(row, { holder: "", due: 0 });
    }
    for (const task of model.tasks) await same(model, real, task);
  }),
];
