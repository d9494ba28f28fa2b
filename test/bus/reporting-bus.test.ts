import { describe, expect, test } from "vitest";
import { memoryBus } from "../../src/bus/memory-bus.js";
import { redisBus } from "../../src/bus/redis-bus.js";
import { reportingBus } from "../../src/bus/reporting-bus.js";
import { openTelemetry } from "../../src/telemetry/open-telemetry.js";
import { redisBin, startRedis } from "../services/redis.js";
import { points, register } from "../telemetry/support.js";
import { whenConnected } from "./hear.js";

register();

const gauge = async (): Promise<unknown> => (await points("a2a.server.bus_connected")).at(-1)?.value;

describe("reports of a bus", () => {
  test.skipIf(redisBin() === undefined)("tell each loss and each recovery once", async () => {
    await using service = await startRedis();
    const said: string[] = [];
    const logger = {
      info: (message: string) => said.push(`info ${message}`),
      warn: (message: string) => said.push(`warn ${message}`),
    };
    const telemetry = openTelemetry(undefined);
    const bus = reportingBus(redisBus({ url: service.url }), logger, { pollMs: 500, telemetry });
    await bus.ready?.();
    await telemetry?.ready;
    expect(said).toEqual([]);
    expect(await gauge()).toBe(1);
    for (const round of [1, 2]) {
      await service.kill();
      await whenConnected(bus, false);
      expect(await gauge()).toBe(0);
      await service.start();
      await whenConnected(bus);
      expect(await gauge()).toBe(1);
      expect(said).toHaveLength(2 * round);
    }
    expect(said.slice(2)).toEqual([
      "warn bus: it is down: instances look into the store every 500 ms (Redis: the connection was lost)",
      "info bus: it is back; news of other instances come at once again",
    ]);
    await bus.close();
    expect(said).toHaveLength(4);
  });

  test("tell what is damaged while it works", async () => {
    const said: string[] = [];
    const logger = { info: () => undefined, warn: (message: string) => said.push(message) };
    const inner = memoryBus();
    const bus = reportingBus(inner, logger, { pollMs: 500 });
    const heard = new Promise((resolve) => {
      inner.listen({
        news() {
          queueMicrotask(() => resolve(undefined));
          throw new Error("my fault");
        },
        gap: () => undefined,
      });
    });
    bus.publish([{ taskId: "t" }, { taskId: "t" }]);
    await heard;
    expect(said).toEqual(["bus: a listener failed: my fault"]);
    await bus.close();
  });
});
