/**
 * Stores against a reference that is a list and nothing more: any sequence of calls is answered alike. `A2A_MODEL_RUNS` says
 * how many sequences (`npm run test:model`: 5,000 for each store), `A2A_MODEL_SEED` repeats a run.
 */
import fc from "fast-check";
import { describe, test } from "vitest";
import type { TaskStore } from "../../src/server.js";
import { serviceUrl } from "../services/service-url.js";
import { places, type Place } from "./model/places.js";
import { Reference, TTL, WINDOW } from "./model/reference.js";
import { runs, sequences, timeout } from "./model/sequences.js";
import { scopes, steps, type Real } from "./model/steps.js";

type Commands = Iterable<fc.AsyncCommand<Reference, Real>>;

const postgres = serviceUrl("postgres", "any sequence of calls to the PostgreSQL store");

async function play(place: Place, store: TaskStore, commands: Commands): Promise<TaskStore> {
  const { forgetsClaims, lasts, opensSlowly = false } = place;
  const real: Real = { store, forgetsClaims, now: Date.UTC(2030, 0, 1), claimed: [], count: 0 };
  if (lasts) {
    real.reopen = () => {
      if (opensSlowly) delete real.reopen;
      return place.open();
    };
  }
  await fc.asyncModelRun(() => ({ model: new Reference(), real }), commands);
  return real.store;
}

describe("any sequence of calls is answered as by the reference", () => {
  const all = places({ ttl: TTL, replayWindow: WINDOW }, postgres);
  test.each(Object.entries(all))(`%s, ${String(runs)} sequences`, { timeout }, async (_, newPlace) => {
    await sequences(fc.commands(steps, { maxCommands: 60, size: "max" }), newPlace, play, scopes);
  });
});
