/** Three servers as processes on one store: what their webhooks get. */
import { afterEach, describe, expect, test } from "vitest";
import { gate } from "../server/agents.js";
import { allCame, expectAllInOrder, prepare, startAll, until, write } from "./instances/hooked-tasks.js";
import { startHooks } from "./instances/hooks.js";
import { sharedPlaces } from "./instances/places.js";
import { killInstances } from "./instances/start-instance.js";

afterEach(killInstances);
const NAMES = ["a", "b", "c"];

describe.each(sharedPlaces("webhooks of several instances"))("on %s", (_, skipped, place) => {
  test.skipIf(skipped)(
    "all instances deliver thousands of events: each once, in order, one at a time",
    async () => {
      await using hooks = await startHooks();
      const instances = await startAll(place(), NAMES);
      const tasks = await write(instances, await prepare(hooks, instances, [12, 3]), 60);
      await until(allCame(hooks, tasks));
      expect(await expectAllInOrder(hooks, tasks)).toBe(0);
      expect(hooks.total).toBe(12 * 3 * 62);
      expect(hooks.from.size).toBe(3);
    },
    120_000,
  );

  test.skipIf(skipped)(
    "a registration that is deleted at another instance, and one that was disabled, get nothing more",
    async () => {
      await using hooks = await startHooks();
      const instances = await startAll(place(), NAMES, { disableAfter: 3 });
      const prepared = await prepare(hooks, instances, [3, 3]);
      const passed = gate();
      hooks.answer = async (path) => {
        if (path.endsWith("-1")) return 410;
        // In the middle of the first request of the others.
        await passed.passed;
        return 204;
      };
      const tasks = await write(instances, prepared, 30);
      await until(() => tasks.every(({ paths: [first = ""] }) => hooks.of(first).open === 1));
      for (const { id } of tasks)
        for (const { caller } of instances)
          await caller.ok("DeleteTaskPushNotificationConfig", { taskId: id, id: "x0" });
      passed.open();
      const kept = tasks.map((task) => ({ ...task, paths: task.paths.slice(2) }));
      await until(() => kept.every(({ paths: [path = ""] }) => hooks.of(path).arrivals.length === 32));
      for (const [i, task] of tasks.entries()) {
        const [deleted = "", disabled = ""] = task.paths;
        // What was under way, no more.
        expect(hooks.of(deleted).arrivals).toHaveLength(1);
        // Each instance counts for itself, and no event is sent again.
        const { arrivals } = hooks.of(disabled);
        expect(arrivals.length, String(i)).toBeGreaterThanOrEqual(3);
        expect(arrivals.length, String(i)).toBeLessThanOrEqual(9);
        expect(new Set(arrivals).size).toBe(arrivals.length);
      }
      expect(hooks.most).toBe(1);
    },
    120_000,
  );
});
