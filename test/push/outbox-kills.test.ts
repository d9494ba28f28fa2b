/** Servers as processes on one store that are killed while they send, and receivers that are down or slow. */
import { afterEach, describe, expect, test } from "vitest";
import {
  allCame,
  expectAllInOrder,
  prepare,
  startAll,
  startNamed,
  until,
  write,
} from "./instances/hooked-tasks.js";
import { senderHeader, startHooks, type Hooks } from "./instances/hooks.js";
import { sharedPlaces } from "./instances/places.js";
import { killInstances } from "./instances/start-instance.js";

afterEach(killInstances);

/** Lets a receiver answer as many requests as it is told to; the others stay open. */
function holdBack(hooks: Hooks) {
  let waiting: { readonly answer: (status: number) => void; readonly isGone: () => boolean }[] = [];
  let left = 0;
  const serve = (): void => {
    waiting = waiting.filter(({ isGone }) => !isGone());
    while (left > 0) {
      const next = waiting.shift();
      if (next === undefined) return;
      left -= 1;
      next.answer(204);
    }
  };
  hooks.answer = (_path, _id, isGone) =>
    new Promise((answer) => {
      waiting.push({ answer, isGone });
      serve();
    });
  return {
    /** Answers so many, and all from then on without a number; resolves when they are answered. */
    async answer(count = Number.MAX_SAFE_INTEGER): Promise<void> {
      left = count;
      serve();
      if (count < Number.MAX_SAFE_INTEGER) await until(() => left === 0);
    },
    hold(): void {
      left = 0;
    },
  };
}

describe.each(sharedPlaces("webhooks of instances that are killed"))("on %s", (_, skipped, place) => {
  test.skipIf(skipped)(
    "instances that are killed while they send: the others finish it, and the next one after all of them",
    async () => {
      await using hooks = await startHooks();
      const held = holdBack(hooks);
      const at = place();
      const push = { timeoutMs: 2_000, claimMs: 4_000, concurrency: 3 };
      const instances = await startAll(at, ["a", "b", "c"], push);
      const early = await prepare(hooks, instances, [6, 2]);
      const later = await prepare(hooks, instances, [3, 2], "later-");
      const first = await write(instances, early, 30);
      for (const [i, name] of ["a", "b"].entries()) {
        // More webhooks wait than two of them can call at a time, so each of the three holds some.
        await until(() => hooks.openFrom.has(senderHeader(name)));
        await instances[i]?.kill();
        await held.answer(50);
      }
      await held.answer();
      await until(allCame(hooks, first));
      held.hold();
      const last = instances.slice(2);
      const second = await write(last, later, 30);
      await until(() => hooks.openFrom.has(senderHeader("c")));
      await last[0]?.kill();
      await until(() => hooks.openFrom.size === 0);
      expect(hooks.cut).toBeGreaterThanOrEqual(3);
      expect(allCame(hooks, second)()).toBe(false);
      await held.answer();
      // Nothing is written any more, and it does not poll: it looks when it starts, and when the claims of the dead have ended.
      await startNamed(at, "d", { ...push, pollMs: 0 });
      await until(allCame(hooks, second));
      expect(await expectAllInOrder(hooks, [...first, ...second])).toBeGreaterThanOrEqual(3);
    },
    180_000,
  );

  test.skipIf(skipped)(
    "a receiver that is down for a while, then slower than a request may take: nothing is lost or out of order",
    async () => {
      await using hooks = await startHooks();
      const claimMs = 3_000;
      const instances = await startAll(place(), ["a", "b", "c"], { timeoutMs: 500, claimMs });
      const prepared = await prepare(hooks, instances, [4, 2]);
      hooks.down = true;
      const tasks = await write(instances, prepared, 10);
      await until(() => hooks.refused > 20);
      expect(hooks.total).toBe(0);
      hooks.down = false;
      const hung = new Set<string>();
      hooks.answer = async (path, id) => {
        // Every third request of a webhook is never answered, where it is not the repeat of one.
        if (hooks.of(path).arrivals.length % 3 !== 0 || hung.has(path + id)) return 204;
        hung.add(path + id);
        return new Promise<number>(() => undefined);
      };
      await until(allCame(hooks, tasks));
      await until(() => hooks.openFrom.size === 0);
      expect(hung.size).toBeGreaterThan(4);
      expect(hooks.cut).toBeGreaterThanOrEqual(hung.size);
      expect(await expectAllInOrder(hooks, tasks)).toBeGreaterThanOrEqual(hung.size);
      // No request is open for longer than its claim.
      expect(hooks.longest).toBeLessThan(claimMs);
    },
    120_000,
  );
});
