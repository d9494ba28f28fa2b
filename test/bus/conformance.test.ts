import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memoryBus } from "../../src/bus/memory-bus.js";
import type { EventBus, News } from "../../src/bus/types.js";
import type { Service } from "../services/service.js";
import { networks } from "./buses.js";
import { hear } from "./hear.js";

const numbered = (from: string, count: number): News[] =>
  Array.from({ length: count }, (_, i) => ({ taskId: from, revision: i + 1 }));

const memory = {
  name: "memory",
  missing: false,
  start: undefined,
  open: memoryBus,
  maxPayload: Number.POSITIVE_INFINITY,
};

describe.each([memory, ...networks])("a $name bus", ({ missing, start, open, maxPayload, name }) => {
  let service: Service | undefined;
  let count = 0;
  beforeAll(async () => {
    if (!missing) service = await start?.();
  }, 60_000);
  afterAll(() => service?.dispose());

  /** Buses that hear one another, and nobody else. */
  const openAll = async (many: number): Promise<EventBus[]> => {
    const channel = `Test "${String((count += 1))}"`;
    const shared = name === "memory" ? memoryBus() : undefined;
    const buses = Array.from({ length: many }, () => shared ?? open(service?.url ?? "", channel));
    for (const bus of buses) await bus.ready?.();
    return buses;
  };
  const closeAll = async (buses: readonly EventBus[]): Promise<void> => {
    for (const bus of buses) await bus.close();
  };

  test.skipIf(missing)("brings every member of news, as it was", async () => {
    const [a, b] = await openAll(2);
    if (!a || !b) throw new Error("no buses");
    const heard = hear(b);
    const all: News[] = [
      {
        taskId: "1",
        revision: 2,
        events: [
          { n: 1, text: '{"a":"\\u0000 ü 🙂"}' },
          { n: 2, text: "{}" },
        ],
      },
      { taskId: "ü\n\u0000\"'", letter: "l" },
      { taskId: "3", answered: "a" },
    ];
    a.publish(all);
    await heard.until(() => heard.news.length === 3);
    expect(heard.news).toEqual(all);
    expect(heard.troubles).toEqual([]);
    await closeAll([a, b]);
  });

  test.skipIf(missing)("keeps the order of each sender and tells every listener", async () => {
    const buses = await openAll(3);
    const heard = buses.flatMap((bus) => [hear(bus), hear(bus)]);
    const names = ["a", "b", "c"];
    for (let round = 0; round < 20; round += 1) {
      names.forEach((from, i) => {
        const part = numbered(from, 1_000).slice(round * 50, (round + 1) * 50);
        buses[i]?.publish(part.slice(0, 20));
        buses[i]?.publish(part.slice(20));
      });
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const [i, { news, until }] of heard.entries()) {
      // Whether one hears oneself does not matter.
      const others = names.filter((_, j) => j !== Math.floor(i / 2));
      const of = (from: string): News[] => news.filter(({ taskId }) => taskId === from);
      await until(() => others.every((from) => of(from).length === 1_000));
      for (const from of others) expect(of(from)).toEqual(numbered(from, 1_000));
    }
    await closeAll(buses);
  });

  test.skipIf(missing)("calls nobody while it is called, and lets a listener fail by itself", async () => {
    const [a, b] = await openAll(2);
    if (!a || !b) throw new Error("no buses");
    const troubles: string[] = [];
    let calls = 0;
    let deep = 0;
    const bad = b.listen({
      news() {
        calls += 1;
        throw new Error("my fault");
      },
      gap: () => undefined,
      trouble: (message) => troubles.push(message),
    });
    const stop = b.listen({
      news({ taskId }) {
        expect(deep).toBe(0);
        deep += 1;
        if (taskId === "x") b.publish([{ taskId: "y" }]);
        deep -= 1;
      },
      gap: () => undefined,
    });
    const [heard, back] = [hear(b), hear(a)];
    a.publish([{ taskId: "x" }, { taskId: "x" }]);
    expect(heard.news).toEqual([]);
    await heard.until(() => heard.news.filter(({ taskId }) => taskId === "x").length === 2);
    await back.until(() => back.news.filter(({ taskId }) => taskId === "y").length === 2);
    expect(calls).toBeGreaterThanOrEqual(2);
    expect(troubles).toEqual(["a listener failed: my fault"]);
    // Nobody is told after it has stopped listening.
    bad();
    stop();
    calls = 0;
    a.publish([{ taskId: "z" }]);
    await heard.until(() => heard.news.some(({ taskId }) => taskId === "z"));
    expect(calls).toBe(0);
    await closeAll([a, b]);
  });

  test.skipIf(missing)("leaves out events that are too long, and tells of news that are", async () => {
    const [a, b] = await openAll(2);
    if (!a || !b) throw new Error("no buses");
    const heard = hear(b);
    const event = (length: number): News => ({
      taskId: "t",
      revision: 7,
      events: [{ n: 7, text: "ü".repeat(length) }],
    });
    a.publish([event(1), event(4_500), event(100_000), { taskId: "t", revision: 8 }]);
    await heard.until(() => heard.news.length === 4);
    const bare = { taskId: "t", revision: 7 };
    const long = name === "memory" ? [event(4_500), event(100_000)] : [bare, bare];
    expect(heard.news).toEqual([event(1), ...long, { taskId: "t", revision: 8 }]);
    // Many that fit one by one are more than one message.
    heard.news.length = 0;
    a.publish(Array.from({ length: 50 }, () => event(1_000)));
    await heard.until(() => heard.news.length === 50);
    expect(heard.news.every(({ events }) => events?.[0]?.text.length === 1_000)).toBe(true);
    // What one said before the other listened may count as missed.
    expect(heard.gaps.filter((at) => at > 0)).toEqual([]);
    if (name !== "memory") {
      a.publish([{ taskId: "i".repeat(maxPayload) }]);
      await heard.until(() => heard.gaps.includes(50));
      expect(heard.news.length).toBe(50);
    }
    await closeAll([a, b]);
  });

  test.skipIf(missing)("says nothing after it is closed, and sends what was published before", async () => {
    const [a, b] = await openAll(2);
    if (!a || !b) throw new Error("no buses");
    const heard = hear(b);
    expect(a.connected).toBe(true);
    if (name !== "memory") {
      a.publish(numbered("last", 100));
      await a.close();
      await heard.until(() => heard.news.length === 100);
    } else await a.close();
    expect(a.connected).toBe(false);
    a.publish([{ taskId: "late" }]);
    await a.close();
    await b.close();
    expect(heard.news.filter(({ taskId }) => taskId === "late")).toEqual([]);
  });

  test.skipIf(missing)("brings news within 10 ms", async () => {
    const [a, b] = await openAll(2);
    if (!a || !b) throw new Error("no buses");
    const heard = hear(b);
    const times: number[] = [];
    for (let i = 1; i <= 200; i += 1) {
      const began = performance.now();
      a.publish([{ taskId: "t", revision: i, events: [{ n: i, text: "{}" }] }]);
      await heard.until(() => heard.news.length === i);
      times.push(performance.now() - began);
    }
    times.sort((x, y) => x - y);
    const at = (part: number): number => times[Math.floor(times.length * part)] ?? 0;
    console.log(`${name}: news take ${at(0.5).toFixed(2)} ms (median of 200), ${at(0.95).toFixed(2)} (p95)`);
    expect(at(0.5)).toBeLessThan(50);
    await closeAll([a, b]);
  });
});
