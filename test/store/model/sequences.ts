import fc from "fast-check";
import type { Scope, TaskStore } from "../../../src/server.js";
import type { Place } from "./places.js";

/** How many sequences for each store, and what repeats them. */
export const runs = Number(process.env["A2A_MODEL_RUNS"] ?? 15);
const seed = Number(process.env["A2A_MODEL_SEED"] ?? Date.now() % 1_000_000_007);
/** Milliseconds that they may take. */
export const timeout = 60_000 + runs * 2_000;
/** Sequences at once where there are many: while one waits for its store, another runs. */
const lanes = runs >= 1_000 ? 3 : 1;

/**
 * Runs random commands, each sequence in a place that is empty; a place is used for many. What fails is printed with its
 * seed. `play` gives the store that is open at its end.
 */
export async function sequences<Command>(
  commands: fc.Arbitrary<Command>,
  newPlace: () => Place,
  play: (place: Place, store: TaskStore, commands: Command) => Promise<TaskStore>,
  scopes: readonly Scope[],
): Promise<void> {
  const lane = async (_: unknown, number: number): Promise<void> => {
    let place = newPlace();
    let open: TaskStore | undefined;
    const property = fc.asyncProperty(commands, async (sequence) => {
      const store = open ?? (await place.open());
      open = undefined;
      try {
        const last = await play(place, store, sequence);
        for (const scope of scopes) await removeAll(last, scope);
        if (place.lasts) open = last;
      } catch (error) {
        // What a failure left must not meet the next sequence.
        await place.remove();
        place = newPlace();
        throw error;
      }
    });
    try {
      await fc.assert(property, { numRuns: Math.ceil(runs / lanes), seed: seed + number });
    } finally {
      await open?.close?.();
      await place.remove();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

async function removeAll(store: TaskStore, scope: Scope): Promise<void> {
  const { tasks } = await store.list(scope, { pageSize: 100 });
  for (const { taskId } of tasks) await store.delete(scope, taskId);
}
