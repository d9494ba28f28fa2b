/**
 * Engines on stores against a reference that is tasks and their events: whatever happens to tasks, and whoever restarts,
 * all who look see the same. `A2A_MODEL_RUNS` and `A2A_MODEL_SEED` as in `model.property.test.ts`.
 */
import fc from "fast-check";
import { describe, test } from "vitest";
import type { TaskStore } from "../../src/server.js";
import { serviceUrl } from "../services/service-url.js";
import { scope, start } from "./engine-model/instance.js";
import { Reference, TTL } from "./engine-model/reference.js";
import type { Real } from "./engine-model/step.js";
import { steps } from "./engine-model/steps.js";
import { places, type Place } from "./model/places.js";
import { runs, sequences, timeout } from "./model/sequences.js";

type Commands = Iterable<fc.AsyncCommand<Reference, Real>>;

const postgres = serviceUrl("postgres", "any sequence of what happens to tasks in PostgreSQL");

async function play(place: Place, store: TaskStore, commands: Commands): Promise<TaskStore> {
  const model = new Reference();
  if (!place.lasts) model.detached = Infinity;
  const instances = [await start("engine-a", store, model)];
  if (place.shared) instances.push(await start("engine-b", await place.open(), model));
  const real: Real = { instances, ids: [], listeners: [], count: 0 };
  if (place.lasts) {
    real.reopen = () => {
      if (place.opensSlowly) delete real.reopen;
      return place.open();
    };
  }
  await fc.asyncModelRun(() => ({ model, real }), commands);
  const [first, ...others] = real.instances;
  for (const { engine } of real.instances) await engine.close();
  for (const other of others) await other.store.close?.();
  return first?.store ?? store;
}

describe("whatever happens to tasks, all see what the reference says", () => {
  const all = places({ ttl: TTL, replayWindow: TTL }, postgres);
  test.each(Object.entries(all))(`%s, ${String(runs)} sequences`, { timeout }, async (_, newPlace) => {
    await sequences(fc.commands(steps, { maxCommands: 40, size: "max" }), newPlace, play, [scope]);
  });
});
