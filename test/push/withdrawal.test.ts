/** Deletion, shutdown, restart, and several workers on one store. */
import { describe, expect, test, vi } from "vitest";
import { receiver } from "./receiver.js";
import { hook, rows, scope, storeWith, work, type TestStore } from "./support.js";

/** Longer than any claim. */
const LONG = 10 * 60_000;

describe("after a deletion nothing is sent (A2A-3.1.10-c)", () => {
  test("not what waits for its next try", async () => {
    await using hooked = await receiver(503);
    const store = storeWith([hook("x", hooked.url)], rows("x", 3));
    await using worker = work(store);
    await worker.idle();
    await store.configs.delete(scope, "t1", "x");
    worker.dropped(scope, "t1", "x");
    await worker.advance(LONG);
    expect(hooked.requests).toHaveLength(1);
  });

  test("not what was claimed already: the registration is looked up last", async () => {
    await using hooked = await receiver();
    const inner = storeWith([hook("x", hooked.url)], rows("x", 1));
    const store: TestStore = {
      ...inner,
      outbox: {
        ...inner.outbox,
        async claim(...args) {
          const claimed = await inner.outbox.claim(...args);
          await inner.configs.delete(scope, "t1", "x");
          return claimed;
        },
      },
    };
    await using worker = work(store);
    await worker.idle();
    expect(hooked.requests).toEqual([]);
  });

  test("not even what a commit on its way brought afterwards", async () => {
    await using hooked = await receiver();
    const store = storeWith([], rows("x", 2));
    await using worker = work(store);
    await worker.idle();
    expect(hooked.requests).toEqual([]);
    expect(store.pending()).toEqual([]);
  });

  test("a request under way is ended", async () => {
    await using hooked = await receiver("hang");
    const store = storeWith([hook("x", hooked.url)], rows("x", 2));
    await using worker = work(store);
    await hooked.arrived(1);
    await store.configs.delete(scope, "t1", "x");
    worker.dropped(scope, "t1", "x");
    await worker.idle();
    expect(hooked.requests).toHaveLength(1);
    expect(worker.log).toEqual([]);
  });
});

describe("shutdown", () => {
  test("lets a request end and takes no further one", async () => {
    await using hooked = await receiver();
    let answer: (() => void) | undefined;
    hooked.answers = () =>
      new Promise(
        (resolve) =>
          (answer = () => {
            resolve(200);
          }),
      );
    const store = storeWith([hook("x", hooked.url)], rows("x", 2));
    const worker = work(store);
    await hooked.arrived(1);
    const closing = worker[Symbol.asyncDispose]();
    answer?.();
    await closing;
    worker.wake();
    await worker.idle();
    expect(hooked.requests).toHaveLength(1);
    expect(store.pending()).toEqual(["x2"]);
  });

  test("ends within a bound what does not end by itself; the next worker sends it at once", async () => {
    await using hooked = await receiver("hang", 200);
    const store = storeWith([hook("x", hooked.url)], rows("x", 1));
    const worker = work(store, { closeMs: 10 });
    await hooked.arrived(1);
    await worker[Symbol.asyncDispose]();
    expect(store.pending()).toEqual(["x1"]);
    await using next = work(store);
    await next.idle();
    expect(hooked.requests).toHaveLength(2);
    expect(store.pending()).toEqual([]);
  });
});

describe("one store", () => {
  test("what a process that died had claimed is sent by the next, once the claim has run out", async () => {
    await using hooked = await receiver();
    const clock = { now: Date.UTC(2030, 0, 1) };
    const store = storeWith([hook("x", hooked.url)], rows("x", 2));
    expect(await store.outbox.claim("the dead", clock.now, 60_000, 10)).toHaveLength(1);
    await using worker = work(store, {}, clock);
    await worker.advance(59_999);
    expect(hooked.requests).toEqual([]);
    await worker.advance(1);
    expect(hooked.bodies).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test("two workers never send to one registration at the same time, and nothing twice", async () => {
    await using hooked = await receiver();
    const open = new Map<string, number>();
    let overlaps = 0;
    hooked.answers = async ({ path }) => {
      const count = (open.get(path) ?? 0) + 1;
      open.set(path, count);
      if (count > 1) overlaps += 1;
      await new Promise((resolve) => setImmediate(resolve));
      open.set(path, (open.get(path) ?? 0) - 1);
      return 200;
    };
    const ids = ["a", "b", "c"];
    const store = storeWith(
      ids.map((id) => hook(id, `${hooked.url}/${id}`)),
      ids.flatMap((id) => rows(id, 20)),
    );
    await using one = work(store);
    await using two = work(store);
    await hooked.arrived(60);
    await Promise.all([one.idle(), two.idle()]);
    expect(hooked.requests).toHaveLength(60);
    expect(overlaps).toBe(0);
    for (const id of ids) {
      const sent = hooked.requests.filter(({ path }) => path.endsWith(id)).map(({ body }) => body);
      expect(sent).toEqual(rows(id, 20).map(({ text }) => text));
    }
  });

  test("a claim that runs out while its own request goes on is not sent again", async () => {
    await using hooked = await receiver();
    let answer: (() => void) | undefined;
    hooked.answers = () =>
      new Promise(
        (resolve) =>
          (answer = () => {
            resolve(200);
          }),
      );
    const clock = { now: Date.UTC(2030, 0, 1) };
    const store = storeWith([hook("x", hooked.url)], rows("x", 1));
    let looks = 0;
    let tries = 0;
    const counted: TestStore = {
      ...store,
      outbox: {
        ...store.outbox,
        claim: (...args) => {
          looks += 1;
          return store.outbox.claim(...args);
        },
      },
      configs: {
        ...store.configs,
        get: (...args) => {
          tries += 1;
          return store.configs.get(...args);
        },
      },
    };
    await using worker = work(counted, {}, clock);
    await hooked.arrived(1);
    clock.now += LONG;
    const before = looks;
    worker.wake();
    expect(looks).toBe(before + 1);
    answer?.();
    await worker.idle();
    // Each try begins with a look at the registration.
    expect(tries).toBe(1);
    expect(hooked.requests).toHaveLength(1);
    expect(store.pending()).toEqual([]);
  });

  test("that fails for a while is asked again", async () => {
    await using hooked = await receiver();
    const inner = storeWith([hook("x", hooked.url)], rows("x", 1));
    let failures = 1;
    const store: TestStore = {
      ...inner,
      outbox: {
        ...inner.outbox,
        claim(...args) {
          if (failures-- > 0) throw new Error("down");
          return inner.outbox.claim(...args);
        },
      },
    };
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await using _timers = { [Symbol.asyncDispose]: () => Promise.resolve(void vi.useRealTimers()) };
    const clock = { now: Date.UTC(2030, 0, 1) };
    await using worker = work(store, {}, clock);
    await worker.idle();
    expect(worker.log).toEqual([["error", "push: the task store failed"]]);
    clock.now += 1_000;
    vi.advanceTimersByTime(1_000);
    await worker.idle();
    expect(hooked.requests).toHaveLength(1);
  });
});
