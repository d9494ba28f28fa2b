import { Elsewhere, refuseElsewhere } from "./elsewhere.js";
import { LiveTask } from "./live-task.js";
import type { AnyVisitor, Met, Purpose, Visitor } from "./task-loads.js";
import { waitUntil } from "./wait-until.js";

/** How a task is visited. */
export interface VisitOptions<T> {
  /** Default `change`: the task is taken for it, unless another instance has it. */
  readonly purpose?: Purpose;
  /** Called in its stead where the task is elsewhere. Default: throws `UNAVAILABLE`. */
  readonly elsewhere?: (task: Elsewhere) => T;
}

/** A visitor who may meet a task that is elsewhere. */
export const meeting =
  <T>(use: Visitor<T>, { elsewhere = refuseElsewhere }: VisitOptions<T>): AnyVisitor<T> =>
  (task) =>
    task instanceof Elsewhere ? elsewhere(task) : use(task);

/** Calls back with a task that stays live meanwhile. One that was made live for nothing is forgotten again. */
export function held<T, M extends Met | Elsewhere>(task: M, use: (task: M) => T): T {
  if (!(task instanceof LiveTask)) return use(task);
  task.holds += 1;
  try {
    return use(task);
  } finally {
    task.holds -= 1;
    task.retireIfIdle();
  }
}

/** Resolves when what was applied until now is in the store, or never will be. */
export async function settledNow(live: LiveTask): Promise<void> {
  const { version } = live;
  const over = (): true | undefined =>
    live.committedVersion >= version || live.lost !== undefined ? true : undefined;
  await waitUntil(live, over);
}
