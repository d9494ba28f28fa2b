import { Redis } from "ioredis";
import pg from "pg";
import { describe, expect, test, vi } from "vitest";
import { redisBus } from "../../src/bus/redis-bus.js";
import type { EventBus } from "../../src/bus/types.js";
import { networks } from "./buses.js";
import { hear, whenConnected, type Heard } from "./hear.js";
import { startProxy } from "./proxy.js";

// Tests start servers of their own, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** The URL with another port. */
const at = (url: string, port: number): string => Object.assign(new URL(url), { port }).href;

/** Publishes until the other one has heard something of it. */
async function flows(from: EventBus, heard: Heard, taskId: string): Promise<void> {
  const timer = setInterval(() => {
    from.publish([{ taskId }]);
  }, 20);
  await heard.until(() => heard.news.some((news) => news.taskId === taskId));
  clearInterval(timer);
}

describe.each(networks)("a $name bus that loses its server", ({ missing, start, open }) => {
  test.skipIf(missing)(
    "says so when it is killed, and goes on when it is back",
    async () => {
      await using service = await start();
      const [a, b] = [open(service.url), open(service.url)];
      await Promise.all([a.ready?.(), b.ready?.()]);
      const heard = hear(b);
      await flows(a, heard, "before");
      for (const round of ["first", "second"]) {
        heard.gaps.length = 0;
        heard.troubles.length = 0;
        await service.kill();
        await Promise.all([whenConnected(a, false), whenConnected(b, false)]);
        await heard.until(() => heard.gaps.length === 1);
        expect(heard.troubles).toHaveLength(1);
        // Dropped, not kept for later.
        for (let i = 0; i < 10_000; i += 1) a.publish([{ taskId: `lost ${round}` }]);
        await service.start();
        await Promise.all([whenConnected(a), whenConnected(b)]);
        // Of its own return, or of what the other one dropped meanwhile.
        await heard.until(() => heard.gaps.length >= 2);
        await flows(a, heard, round);
        expect(heard.news.filter(({ taskId }) => taskId === `lost ${round}`)).toEqual([]);
      }
      await Promise.all([a.close(), b.close()]);
    },
    60_000,
  );

  test.skipIf(missing)("comes up by itself where the server comes later", async () => {
    await using service = await start();
    await service.stop();
    const bus = open(service.url);
    const heard = hear(bus);
    await heard.until(() => heard.troubles.length === 1);
    expect(heard.troubles[0]).toContain("ECONNREFUSED");
    expect(bus.connected).toBe(false);
    expect(heard.gaps).toEqual([]);
    await service.start();
    await bus.ready?.();
    expect(bus.connected).toBe(true);
    expect(heard.gaps).toEqual([0]);
    expect(heard.troubles).toHaveLength(1);
    await bus.close();
  });

  test.skipIf(missing)(
    "notices a partition within seconds, and those on the other side learn what they missed",
    async () => {
      await using service = await start();
      await using proxy = await startProxy(service.port);
      const [far, near] = [open(at(service.url, proxy.port)), open(service.url)];
      await Promise.all([far.ready?.(), near.ready?.()]);
      const [heardFar, heardNear] = [hear(far), hear(near)];
      await flows(far, heardNear, "before");
      await flows(near, heardFar, "before");
      heardNear.gaps.length = heardFar.gaps.length = 0;

      proxy.freeze();
      const began = performance.now();
      far.publish([{ taskId: "cut" }]);
      await whenConnected(far, false);
      const noticed = performance.now() - began;
      console.log(`a partition is noticed after ${noticed.toFixed(0)} ms`);
      expect(noticed).toBeLessThan(8_000);
      expect(heardFar.gaps).toHaveLength(1);
      far.publish([{ taskId: "cut" }]);
      near.publish([{ taskId: "unheard" }]);
      expect(near.connected).toBe(true);
      expect(heardNear.gaps).toEqual([]);

      proxy.thaw();
      await whenConnected(far);
      await heardFar.until(() => heardFar.gaps.length === 2);
      await heardNear.until(() => heardNear.gaps.length === 1);
      await flows(far, heardNear, "after");
      await flows(near, heardFar, "after");
      await Promise.all([far.close(), near.close()]);
    },
    60_000,
  );

  test.skipIf(missing)("can be closed while the other side is silent, or was never there", async () => {
    await using service = await start();
    await using proxy = await startProxy(service.port);
    const bus = open(at(service.url, proxy.port));
    await bus.ready?.();
    proxy.freeze();
    bus.publish([{ taskId: "t" }]);
    const began = performance.now();
    await bus.close();
    const never = open(at(service.url, proxy.port));
    const ready = expect(never.ready?.()).rejects.toMatchObject({ reason: "ABORTED" });
    await never.close();
    await ready;
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

const [redis, postgres] = networks;

describe("a stream of Redis", () => {
  test.skipIf(redis?.missing)("brings after a reconnect what was published meanwhile", async () => {
    await using service = await redis?.start();
    const url = service?.url ?? "";
    const admin = new Redis(url);
    const [a, b] = [redisBus({ url }), redisBus({ url })];
    await Promise.all([a.ready?.(), b.ready?.()]);
    const heard = hear(b);
    await flows(a, heard, "before");
    // Only what waits for messages is cut: whoever publishes goes on.
    const blocked = ((await admin.client("LIST")) as string)
      .split("\n")
      .filter((line) => line.includes("cmd=xread"))
      .map((line) => /^id=(\d+)/.exec(line)?.[1] ?? "");
    expect(blocked).toHaveLength(2);
    const cut = admin.multi();
    for (const id of blocked) cut.client("KILL", "ID", id);
    cut.xadd("a2a:news", "*", "m", '{"v":1,"from":"x","seq":1,"news":[{"taskId":"meanwhile"}]}');
    await cut.exec();
    await heard.until(() => heard.news.some(({ taskId }) => taskId === "meanwhile"));
    await Promise.all([a.close(), b.close()]);
    admin.disconnect();
  });

  test.skipIf(redis?.missing)(
    "tells the others that something was dropped, once its sender is back",
    async () => {
      await using service = await redis?.start();
      const url = service?.url ?? "";
      const admin = new Redis(url);
      const idsOf = (list: unknown): string[] =>
        [...String(list).matchAll(/^id=(\d+)/gm)].map(([, id = ""]) => id);
      const before = idsOf(await admin.client("LIST"));
      const a = redisBus({ url });
      await a.ready?.();
      const own = idsOf(await admin.client("LIST")).filter((id) => !before.includes(id));
      const b = redisBus({ url });
      await b.ready?.();
      const heard = hear(b);
      await flows(a, heard, "before");
      heard.gaps.length = 0;
      const cut = admin.multi();
      for (const id of own) cut.client("KILL", "ID", id);
      await cut.exec();
      await whenConnected(a, false);
      a.publish([{ taskId: "dropped" }]);
      await heard.until(() => heard.gaps.length === 1);
      expect(b.connected).toBe(true);
      expect(heard.news.every(({ taskId }) => taskId === "before")).toBe(true);
      await Promise.all([a.close(), b.close()]);
      admin.disconnect();
    },
  );

  test.skipIf(redis?.missing)("that was trimmed before it was read is a gap, without a loss", async () => {
    await using service = await redis?.start();
    const url = service?.url ?? "";
    await using proxy = await startProxy(service?.port ?? 0);
    const sender = redisBus({ url, maxLength: 10 });
    const reader = redisBus({ url: at(url, proxy.port) });
    await Promise.all([sender.ready?.(), reader.ready?.()]);
    const heard = hear(reader);
    await flows(sender, heard, "before");
    heard.gaps.length = heard.news.length = 0;
    proxy.freeze();
    const admin = new Redis(url);
    // Each is a message of its own: two do not fit into one.
    for (let n = 1; n <= 1_000; n += 1)
      sender.publish([{ taskId: "t", revision: n, events: [{ n, text: "x".repeat(3_000) }] }]);
    const isThere = async (): Promise<boolean> => {
      const [newest] = await admin.xrevrange("a2a:news", "+", "-", "COUNT", 1);
      return newest?.[1][1]?.includes('"revision":1000,') === true;
    };
    while (!(await isThere()));
    proxy.thaw();
    await heard.until(() => heard.news.at(-1)?.revision === 1_000);
    expect(heard.gaps.length).toBeGreaterThan(0);
    expect(heard.news.length).toBeLessThan(500);
    expect(heard.troubles).toEqual([]);
    expect(await admin.xlen("a2a:news")).toBeLessThan(500);
    await Promise.all([sender.close(), reader.close()]);
    admin.disconnect();
  });

  test.skipIf(redis?.missing)("takes up a server that came back with a clock behind", async () => {
    await using service = await redis?.start();
    const url = service?.url ?? "";
    const admin = new Redis(url);
    const bus = redisBus({ url });
    await bus.ready?.();
    const heard = hear(bus);
    await admin.xadd(
      "a2a:news",
      "99999999999999-0",
      "m",
      '{"v":1,"from":"x","seq":1,"news":[{"taskId":"a"}]}',
    );
    await heard.until(() => heard.news.length === 1);
    await admin.del("a2a:news");
    await admin.client("KILL", "TYPE", "normal", "SKIPME", "yes");
    await whenConnected(bus, false);
    await whenConnected(bus);
    await admin.xadd("a2a:news", "*", "m", '{"v":1,"from":"x","seq":2,"news":[{"taskId":"b"}]}');
    await heard.until(() => heard.news.length === 2);
    await bus.close();
    admin.disconnect();
  });
});

describe("messages that no instance wrote", () => {
  const bad = ["", "{", "[]", '{"v":1}', '{"v":1,"from":"x","seq":1,"news":[{"taskId":1}]}'];

  test.skipIf(redis?.missing)("are told once and ignored (Redis)", async () => {
    await using service = await redis?.start();
    const url = service?.url ?? "";
    const admin = new Redis(url);
    const [a, b] = [redisBus({ url }), redisBus({ url })];
    await Promise.all([a.ready?.(), b.ready?.()]);
    const heard = hear(b);
    for (const text of bad) await admin.xadd("a2a:news", "*", "m", text);
    await admin.xadd("a2a:news", "*", "other", "fields", "and", "more");
    await flows(a, heard, "t");
    expect(heard.troubles).toEqual(["a message that no instance wrote was ignored"]);
    expect(b.connected).toBe(true);
    await Promise.all([a.close(), b.close()]);
    admin.disconnect();
  });

  test.skipIf(postgres?.missing)("are told once and ignored (PostgreSQL)", async () => {
    await using service = await postgres?.start();
    const url = service?.url ?? "";
    const admin = new pg.Client(url);
    await admin.connect();
    const [a, b] = [postgres?.open(url), postgres?.open(url)];
    if (!a || !b) throw new Error("no buses");
    await Promise.all([a.ready?.(), b.ready?.()]);
    const heard = hear(b);
    for (const text of bad) await admin.query("select pg_notify('a2a', $1)", [text]);
    await flows(a, heard, "t");
    expect(heard.troubles).toEqual(["a message that no instance wrote was ignored"]);
    await Promise.all([a.close(), b.close()]);
    await admin.end();
  });
});
