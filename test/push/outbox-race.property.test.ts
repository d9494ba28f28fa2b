/** Processes that claim from one store at the same moment: nobody is given what another has. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { postgresStore } from "../../src/postgres.js";
import { sqliteStore } from "../../src/store/sqlite/sqlite-store.js";
import { append, birth } from "../../src/testing/conformance/fixtures.js";
import { sharedPlaces } from "./instances/places.js";
import { startRacers, type Fate, type Held } from "./instances/race.js";

const RACERS = 3;
const fate = fc.constantFrom<Fate>("done", "done", "done", "later", "leave");
const orders = fc.record({
  limits: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
  // Whoever acknowledges nothing keeps the race from its end.
  fates: fc.array(fate, { minLength: 1, maxLength: 7 }).map((fates): Fate[] => [...fates, "done"]),
});
const races = fc.record({
  tasks: fc.integer({ min: 1, max: 6 }),
  configs: fc.integer({ min: 1, max: 3 }),
  before: fc.integer({ min: 1, max: 6 }),
  meanwhile: fc.integer({ min: 0, max: 12 }),
  orders: fc.array(orders, { minLength: RACERS, maxLength: RACERS }),
});

/** What was held of one registration went up event by event, one at a time, each acknowledged once. */
function expectOneAtATime(held: readonly Held[], events: number): void {
  let wanted = { n: 1, attempts: 0 };
  let end = 0;
  let until = 0;
  for (const { n, attempts, fate: became, ...one } of held.toSorted(inOrder)) {
    expect({ n, attempts }).toEqual(wanted);
    expect(one.from).toBeGreaterThanOrEqual(end);
    expect(one.now).toBeGreaterThanOrEqual(until);
    // What was left to run out may have done so before its holder heard of it.
    until = became === "leave" ? one.until : 0;
    if (became !== "leave") end = one.to;
    if (became === "later") wanted = { n, attempts: attempts + 1 };
    if (became === "done") wanted = { n: n + 1, attempts: 0 };
  }
  expect(wanted).toEqual({ n: events + 1, attempts: 0 });
}

/** The order of events; of the claims of one event, that in which they were given. */
const inOrder = (a: Held, b: Held): number => a.n - b.n || a.attempts - b.attempts || a.now - b.now;

describe.each(sharedPlaces("claims of several processes"))("on %s", (_, skipped, makePlace) => {
  test.skipIf(skipped)(
    "what one process has claimed no other has, while events are written; every event is there until it is acknowledged",
    async () => {
      const place = makePlace();
      const store = "path" in place ? await sqliteStore(place) : await postgresStore(place);
      await using racers = await startRacers(place, RACERS);
      let count = 0;
      await fc.assert(
        fc.asyncProperty(races, async ({ tasks, configs, before, meanwhile, orders: given }) => {
          const prefix = `race${String((count += 1))}-`;
          const ids = Array.from({ length: tasks }, (_, i) => prefix + String(i));
          const names = Array.from({ length: configs }, (_, i) => `x${String(i)}`);
          const rows = (from: number, to: number) =>
            Array.from({ length: to - from + 1 }, (_, i) =>
              names.map((configId) => ({ configId, n: from + i, text: "{}" })),
            ).flat();
          await store.commit(ids.map((id) => birth(id, { outbox: rows(1, before) })));
          const events = before + meanwhile;
          const racing = racers.race(prefix, given, tasks * configs * events);
          for (let n = before + 1; n <= events; n += 1)
            await store.commit(
              ids.map((id) => append(id, n - before + 1, n - before + 1, { outbox: rows(n, n) })),
            );
          const held = await racing;
          const keys = new Set(held.map(({ key }) => key));
          expect(keys.size).toBe(tasks * configs);
          for (const name of keys)
            expectOneAtATime(
              held.filter(({ key }) => key === name),
              events,
            );
          expect(await store.outbox.claim("me", Date.now() + 90_000, 1, 1)).toEqual([]);
        }),
        // What a failed race leaves in the store would be in the way of another.
        { numRuns: 10, endOnFailure: true },
      );
      await store.close?.();
    },
    120_000,
  );
});
