/** What a worker does with a claim: never more than it covers, and nothing that it covers twice. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { pushSettings } from "../../src/push/options.js";
import { createStoreClock } from "../../src/push/store-clock.js";
import { receiver } from "./receiver.js";
import { hook, rows, scope, storeWith, work, type TestStore } from "./support.js";

const START = Date.UTC(2030, 0, 1);
const MINUTES = 60_000;

afterEach(() => {
  vi.useRealTimers();
});

/** A store with another outbox. */
const withOutbox = (store: TestStore, outbox: Partial<TestStore["outbox"]>): TestStore => ({
  ...store,
  outbox: { ...store.outbox, ...outbox },
});

describe("a request begins only where its claim outlasts it", () => {
  /** The requests and the log where a step of the store takes so long. */
  async function sent(step: "claim" | "config", takes: number) {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    await using hooked = await receiver();
    const inner = storeWith([hook("x", hooked.url)], rows("x", 1));
    const store: TestStore = {
      ...withOutbox(inner, {
        async claim(...args) {
          const claimed = await inner.outbox.claim(...args);
          if (step === "claim") vi.advanceTimersByTime(takes);
          return claimed;
        },
      }),
      configs: {
        ...inner.configs,
        async get(...args) {
          if (step === "config") vi.advanceTimersByTime(takes);
          return inner.configs.get(...args);
        },
      },
    };
    await using worker = work(store, { timeoutMs: 10_000, claimMs: 40_000 });
    await worker.idle();
    return { requests: hooked.requests.length, pending: store.pending(), log: worker.log };
  }

  test.each(["claim", "config"] as const)(
    "where the %s takes long, nobody is sent anything",
    async (step) => {
      expect(await sent(step, 15_000)).toEqual({ requests: 1, pending: [], log: [] });
      const { requests, pending, log } = await sent(step, 15_001);
      expect([requests, pending]).toEqual([0, ["x1"]]);
      expect(log).toEqual([["error", "push: a delivery of task t1 could not be recorded"]]);
    },
  );

  test("a claim that is no longer than a request is refused", () => {
    expect(pushSettings({ timeoutMs: 2_000 }).claimMs).toBe(32_000);
    expect(pushSettings({ timeoutMs: 2_000, claimMs: 2_001 }).claimMs).toBe(2_001);
    for (const claimMs of [2_000, Number.NaN])
      expect(() => pushSettings({ timeoutMs: 2_000, claimMs })).toThrow(/push\.claimMs must be more/);
  });
});

test("an instance whose clock is ahead takes nothing from the others: the store has the clock", async () => {
  await using hooked = await receiver();
  let answer: (() => void) | undefined;
  hooked.answers = () =>
    new Promise(
      (resolve) =>
        (answer = () => {
          resolve(200);
        }),
    );
  const store: TestStore = {
    ...storeWith([hook("x", hooked.url)], rows("x", 1)),
    clock: () => START,
  };
  await using behind = work(store, {}, { now: START - 10 * MINUTES });
  await hooked.arrived(1);
  await using ahead = work(store, {}, { now: START + 10 * MINUTES });
  await ahead.idle();
  ahead.wake();
  await ahead.idle();
  expect(hooked.requests).toHaveLength(1);
  answer?.();
  await behind.idle();
  expect(store.pending()).toEqual([]);
});

test("the clock of a store goes on between looks at it, and is looked at again after a while", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  let asked = 0;
  const store = {
    time: START,
    clock() {
      asked += 1;
      return this.time;
    },
  };
  const clock = createStoreClock(store, () => 0);
  await clock.compare();
  vi.advanceTimersByTime(20_000);
  expect(clock.compare()).toBeUndefined();
  expect(clock.now()).toBe(START + 20_000);
  vi.advanceTimersByTime(10_001);
  store.time = START + 77_000;
  await clock.compare();
  expect([clock.now(), asked]).toEqual([START + 77_000, 2]);
});

test("the next event that is claimed before the answer of the store arrives is sent, not forgotten", async () => {
  await using hooked = await receiver();
  const inner = storeWith([hook("x", hooked.url)], rows("x", 3));
  const store = withOutbox(inner, {
    async ack(...args) {
      await inner.outbox.ack(...args);
      // The store has done it; before we hear of it somebody looks.
      worker.wake();
      await new Promise((resolve) => setImmediate(resolve));
    },
  });
  const worker = work(store);
  await worker.idle();
  expect(hooked.bodies).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  expect(store.pending()).toEqual([]);
  await worker[Symbol.asyncDispose]();
});

describe("a store that fails when it is told of an answer", () => {
  /** A worker whose store fails so often, and the timers in our hands. */
  async function failing(times: number, status: number, options = {}) {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
    const hooked = await receiver(status, 200);
    const inner = storeWith([hook("x", hooked.url)], rows("x", 1));
    const clock = { now: START };
    let left = times;
    let failed: (() => void) | undefined;
    const store = withOutbox(inner, {
      ack(...args) {
        if (left-- <= 0) return inner.outbox.ack(...args);
        failed?.();
        throw new Error("down");
      },
    });
    const fails = (): Promise<void> => new Promise((resolve) => (failed = resolve));
    const first = fails();
    const worker = work(store, { timeoutMs: 1_000, claimMs: 5_000, ...options }, clock);
    await first;
    return { hooked, store, worker, clock, fails };
  }

  test("is told again, and the event is not sent again", async () => {
    const { hooked, store, worker, fails } = await failing(2, 200);
    const second = fails();
    await vi.advanceTimersByTimeAsync(1_000);
    await second;
    await vi.advanceTimersByTimeAsync(1_000);
    await worker.idle();
    expect(hooked.requests).toHaveLength(1);
    expect([store.pending(), worker.log]).toEqual([[], []]);
    await worker[Symbol.asyncDispose]();
    await hooked[Symbol.asyncDispose]();
  });

  test("until the claim runs out; then the event is sent again, without anybody's help", async () => {
    const { hooked, store, worker, clock } = await failing(5, 200);
    await vi.advanceTimersByTimeAsync(5_000);
    await worker.idle();
    expect(worker.log).toEqual([["error", "push: a delivery of task t1 could not be recorded"]]);
    clock.now += 6_000;
    await vi.advanceTimersByTimeAsync(1_000);
    await worker.idle();
    expect(hooked.requests).toHaveLength(2);
    expect(store.pending()).toEqual([]);
    await worker[Symbol.asyncDispose]();
    await hooked[Symbol.asyncDispose]();
  });

  test("holds up no shutdown", async () => {
    const { hooked, store, worker } = await failing(99, 200);
    const closing = worker[Symbol.asyncDispose]();
    await vi.advanceTimersByTimeAsync(1_000);
    await closing;
    expect(store.pending()).toEqual(["x1"]);
    await hooked[Symbol.asyncDispose]();
  });
});

describe("what a process had claimed when it died", () => {
  const left = async (url: string): Promise<TestStore> => {
    const store: TestStore = { ...storeWith([hook("x", url)], rows("x", 1)), hints: { durable: true } };
    await store.outbox.claim("the dead", START - 1, 5_000, 10);
    return store;
  };

  test("is looked for as soon as its claims must have ended", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await using hooked = await receiver();
    const clock = { now: START };
    const store = await left(hooked.url);
    await using worker = work(store, { timeoutMs: 1_000, claimMs: 5_000 }, clock);
    await worker.idle();
    clock.now += 5_000;
    await vi.advanceTimersByTimeAsync(5_000);
    await worker.idle();
    expect(hooked.requests).toHaveLength(1);
    expect(await store.configs.get(scope, "t1", "x")).toBeDefined();
  });

  test.each([-10, 0, 10])("also where our clock is %i minutes ahead of that of the store", async (ahead) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
    await using hooked = await receiver();
    const store: TestStore = { ...(await left(hooked.url)), clock: () => START };
    const options = { timeoutMs: 1_000, claimMs: 5_000 };
    await using worker = work(store, options, { now: START + ahead * MINUTES });
    await worker.idle();
    expect(hooked.requests).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(5_000);
    await worker.idle();
    expect(hooked.requests).toHaveLength(1);
  });
});
