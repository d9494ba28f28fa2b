/** What is tried again and when, what is given up, and when a registration is disabled. */
import { describe, expect, test, vi } from "vitest";
import { retryAfter } from "../../src/push/retry-after.js";
import type { DeadLetter } from "../../src/push/options.js";
import { receiver } from "./receiver.js";
import { hook, rows, scope, storeWith, work, write, type TestStore } from "./support.js";

const START = Date.UTC(2030, 0, 1);

/** The store, and the waits that it was asked for. */
function timed(store: TestStore, clock: { now: number }): { store: TestStore; waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    store: {
      ...store,
      outbox: {
        claim: (...args) => store.outbox.claim(...args),
        ack(delivery, options) {
          if (options?.retryAt !== undefined) waits.push(options.retryAt - clock.now);
          return store.outbox.ack(delivery, options);
        },
      },
    },
  };
}

describe("tried again", () => {
  test.each([408, 425, 429, 500, 502, 503, 599])("%i", async (status) => {
    await using hooked = await receiver(status, 200);
    const store = storeWith([hook("x", hooked.url)], rows("x", 1));
    await using worker = work(store);
    await worker.idle();
    expect(store.pending()).toEqual(["x1"]);
    await worker.advance(1_000);
    expect(hooked.requests).toHaveLength(2);
    expect(store.pending()).toEqual([]);
  });

  test("a receiver that cuts the connection, and one that is not there", async () => {
    await using hooked = await receiver("cut", 200);
    await using gone = await receiver();
    await gone[Symbol.asyncDispose]();
    const store = storeWith(
      [hook("x", hooked.url), hook("gone", gone.url)],
      [...rows("x", 1), ...rows("gone", 1)],
    );
    await using worker = work(store);
    await worker.idle();
    expect(store.pending()).toEqual(["x1", "gone1"]);
    await worker.advance(1_000);
    expect(store.pending()).toEqual(["gone1"]);
    expect(worker.log.join()).toContain("sent again");
  });

  test("a receiver that takes too long (A2A-4.3.3-j, A2A-13.2-b)", async () => {
    await using hooked = await receiver("hang", 200);
    const store = storeWith([hook("x", hooked.url)], rows("x", 1));
    await using worker = work(store, { timeoutMs: 400 });
    await worker.idle();
    expect(store.pending()).toEqual(["x1"]);
    await worker.advance(1_000);
    expect(store.pending()).toEqual([]);
  });

  test("a name that nobody resolves in time", async () => {
    const store = storeWith([hook("x", "https://hook.example.com/")], rows("x", 1));
    await using worker = work(store, { timeoutMs: 50, lookup: () => new Promise(() => undefined) });
    await worker.idle();
    expect(store.pending()).toEqual(["x1"]);
    expect(worker.log.join()).toContain("sent again");
  });

  test("not before its time, each wait twice the last, up to a limit (A2A-4.3.3-i, A2A-13.2-c)", async () => {
    await using hooked = await receiver(503);
    const clock = { now: START };
    const { store, waits } = timed(storeWith([hook("x", hooked.url)], rows("x", 1)), clock);
    await using worker = work(store, { backoffMs: 1_000, maxBackoffMs: 8_000, attempts: 7 }, clock);
    await worker.idle();
    for (let tries = 1; tries < 7; tries += 1) {
      expect(hooked.requests).toHaveLength(tries);
      const wait = waits.at(-1) ?? 0;
      const longest = Math.min(8_000, 1_000 * 2 ** (tries - 1));
      expect(wait).toBeGreaterThanOrEqual(longest / 2);
      expect(wait).toBeLessThanOrEqual(longest);
      await worker.advance(wait - 1);
      expect(hooked.requests).toHaveLength(tries);
      await worker.advance(1);
    }
    expect(hooked.requests).toHaveLength(7);
    expect(store.pending()).toEqual([]);
  });

  test("waits differ, so that what failed together does not come back together", async () => {
    await using hooked = await receiver(503);
    const clock = { now: START };
    const ids = Array.from({ length: 20 }, (_, i) => `x${String(i)}`);
    const { store, waits } = timed(
      storeWith(
        ids.map((id) => hook(id, hooked.url)),
        ids.flatMap((id) => rows(id, 1)),
      ),
      clock,
    );
    await using worker = work(store, {}, clock);
    await worker.idle();
    expect(waits).toHaveLength(20);
    expect(new Set(waits).size).toBeGreaterThan(5);
  });

  test("by itself, when its time has come; so is what another process left", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    await using _timers = { [Symbol.asyncDispose]: () => Promise.resolve(void vi.useRealTimers()) };
    await using hooked = await receiver(503, 200);
    const clock = { now: START };
    const pass = (ms: number): Promise<void> => {
      clock.now += ms;
      vi.advanceTimersByTime(ms);
      return worker.idle();
    };
    const store = storeWith([hook("x", hooked.url)], rows("x", 1));
    await using worker = work(store, { pollMs: 30_000 }, clock);
    await worker.idle();
    await pass(499);
    expect(hooked.requests).toHaveLength(1);
    await pass(501);
    expect(hooked.requests).toHaveLength(2);
    write(store, "x", 2);
    await pass(28_000);
    expect(hooked.requests).toHaveLength(2);
    await pass(1_000);
    expect(hooked.requests).toHaveLength(3);
  });

  test("when the receiver says, in seconds or at a date, up to a limit", async () => {
    const clock = { now: START };
    const asked = [
      ["120", 120_000],
      [new Date(START + 90_000).toUTCString(), 90_000],
      ["86400", 3_600_000],
    ] as const;
    for (const [header, wait] of asked) {
      await using hooked = await receiver({ status: 429, headers: { "Retry-After": header } });
      const { store, waits } = timed(storeWith([hook("x", hooked.url)], rows("x", 1)), clock);
      await using worker = work(store, {}, clock);
      await worker.idle();
      expect(waits).toEqual([wait]);
    }
  });

  test("a wait that is no time is no wait", () => {
    expect(["0", " 7 ", "soon", undefined].map((header) => retryAfter(header, START))).toEqual([
      0,
      7_000,
      undefined,
      undefined,
    ]);
    expect(retryAfter(new Date(START - 5_000).toUTCString(), START)).toBe(0);
  });
});

describe("given up", () => {
  test.each([301, 307, 400, 401, 403, 404, 410, 422])("at %i, and the next event goes on", async (status) => {
    await using hooked = await receiver({ status, headers: { Location: "/elsewhere" } }, 200);
    const letters: DeadLetter[] = [];
    const store = storeWith([hook("x", hooked.url)], rows("x", 2));
    await using worker = work(store, { onDeadLetter: (letter) => letters.push(letter) });
    await worker.idle();
    expect(hooked.bodies).toEqual([{ n: 1 }, { n: 2 }]);
    expect(hooked.requests.map(({ path }) => path)).toEqual(["/hook", "/hook"]);
    expect(store.pending()).toEqual([]);
    expect(letters).toEqual([
      {
        scope,
        taskId: "t1",
        configId: "x",
        n: 1,
        text: '{"n":1}',
        attempts: 1,
        reason: `HTTP ${String(status)}`,
        status,
      },
    ]);
    expect(worker.log).toContainEqual(["warn", expect.stringContaining(`HTTP ${String(status)}`)]);
  });

  test("after so many tries", async () => {
    await using hooked = await receiver(503);
    const letters: DeadLetter[] = [];
    const store = storeWith([hook("x", hooked.url)], rows("x", 1));
    await using worker = work(store, { attempts: 3, onDeadLetter: (letter) => letters.push(letter) });
    await worker.idle();
    for (let i = 0; i < 5; i += 1) await worker.advance(60_000);
    expect(hooked.requests).toHaveLength(3);
    expect(letters).toMatchObject([{ n: 1, attempts: 3, status: 503 }]);
  });

  test("with the reason, also where there was no answer", async () => {
    await using hooked = await receiver("hang");
    const letters: DeadLetter[] = [];
    const store = storeWith([hook("x", hooked.url)], rows("x", 1));
    const onDeadLetter = (letter: DeadLetter): void => void letters.push(letter);
    await using worker = work(store, { attempts: 1, timeoutMs: 100, onDeadLetter });
    await worker.idle();
    expect(letters).toMatchObject([{ reason: "no answer within 100 ms" }]);
    expect(letters[0]).not.toHaveProperty("status");
  });

  test("a listener that fails changes nothing", async () => {
    await using hooked = await receiver(404, 200);
    const store = storeWith([hook("x", hooked.url)], rows("x", 2));
    await using worker = work(store, {
      onDeadLetter: () => {
        throw new Error("broken");
      },
    });
    await worker.idle();
    expect(hooked.requests).toHaveLength(2);
    expect(worker.log).toContainEqual(["error", expect.stringContaining("onDeadLetter")]);
  });

  test("logs no URL, token or credentials (A2A-13.2c-h, A2A-13.2c-i)", async () => {
    await using hooked = await receiver(404);
    const authentication = { scheme: "Bearer", credentials: "s3cret" };
    const config = hook("x", `${hooked.url}?key=s3cret`, { token: "s3cret", authentication });
    await using worker = work(storeWith([config], rows("x", 12)));
    await worker.idle();
    expect(worker.log.length).toBeGreaterThan(0);
    expect(JSON.stringify(worker.log)).not.toMatch(/s3cret|127\.0\.0\.1/);
  });
});

describe("disabled", () => {
  test("after ten in a row; what waits is dropped, and it stays so after a restart (A2A-4.3.3-k, A2A-13.2-d)", async () => {
    await using hooked = await receiver(404);
    const store = storeWith([hook("x", hooked.url)], rows("x", 15));
    await using worker = work(store);
    await worker.idle();
    expect(hooked.requests).toHaveLength(10);
    expect(worker.disabledIds).toEqual(["x"]);
    expect(worker.log).toContainEqual(["error", expect.stringContaining("disabled")]);
    expect(store.pending()).toEqual([]);
    expect(await store.configs.get(scope, "t1", "x")).toMatchObject({ id: "x", disabled: true });
    write(store, "x", 99);
    await using second = work(store);
    await second.idle();
    expect(hooked.requests).toHaveLength(10);
    // Registered anew, it is delivered to again.
    await store.configs.put(scope, "t1", hook("x", `${hooked.url}/new`));
    write(store, "x", 100);
    await second.advance(0);
    expect(hooked.requests.at(-1)?.path).toBe("/hook/new");
  });

  test("not by failures with a success between them", async () => {
    await using hooked = await receiver();
    let count = 0;
    hooked.answers = () => ((count += 1) % 10 === 0 ? 200 : 404);
    const store = storeWith([hook("x", hooked.url)], rows("x", 25));
    await using worker = work(store);
    await worker.idle();
    expect(hooked.requests).toHaveLength(25);
    expect(worker.disabledIds).toEqual([]);
  });

  test("not by failures from before it was replaced", async () => {
    await using hooked = await receiver();
    const store = storeWith([hook("x", hooked.url)], rows("x", 12));
    hooked.answers = async () => {
      if (hooked.requests.length === 5) await store.configs.put(scope, "t1", hook("x", `${hooked.url}/new`));
      return 404;
    };
    await using worker = work(store);
    await worker.idle();
    expect(hooked.requests).toHaveLength(12);
    expect(worker.disabledIds).toEqual([]);
  });

  test("not where it was replaced meanwhile", async () => {
    await using hooked = await receiver();
    const store = storeWith([hook("x", hooked.url)], rows("x", 12));
    const replacement = hook("x", `${hooked.url}/new`);
    hooked.answers = async () => {
      if (hooked.requests.length === 10) await store.configs.put(scope, "t1", replacement);
      return hooked.requests.length <= 10 ? 404 : 200;
    };
    await using worker = work(store);
    await worker.idle();
    expect(worker.disabledIds).toEqual([]);
    expect(await store.configs.get(scope, "t1", "x")).toEqual(replacement);
    expect(hooked.requests.slice(10).map(({ path }) => path)).toEqual(["/hook/new", "/hook/new"]);
  });
});
