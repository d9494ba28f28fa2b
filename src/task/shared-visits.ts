import { A2AError } from "../errors.js";
import type { MaybePromise, Scope, StoredTask, TaskStore } from "../store/types.js";
import { Elsewhere } from "./elsewhere.js";
import type { LiveTask } from "./live-task.js";
import { receivedBy } from "./load-task.js";
import type { Ownership } from "./ownership.js";
import { takeTask, type Loaded, type Orphan } from "./take-task.js";
import type { AnyVisitor, Met, Purpose, TaskLoads, Visitor } from "./task-loads.js";
import { held, meeting, settledNow, type VisitOptions } from "./visit.js";

/** What visits need of the engine around them. */
export interface SharedVisitsHost {
  readonly store: TaskStore;
  report(message: string, details: unknown): void;
  /** Goes on with, or ends, a task that nobody works on any more. */
  readonly recover: ((live: LiveTask, stored: StoredTask, why: Orphan) => void) | undefined;
  /** The task as it is in memory, or with whom it was lent to. */
  known(scope: Scope, id: string): LiveTask | undefined;
  /** A live task of what is stored. */
  open(scope: Scope, stored: StoredTask): LiveTask;
  /** Keeps a task in memory until it is idle; `taken`: it is this instance's from now on. */
  keep(live: LiveTask, taken: boolean): void;
}

/**
 * Visits to tasks of a store that others write to: what is in memory is current only while this instance has the lease.
 * Here it is decided how a visitor meets a task: live, ended, or elsewhere.
 */
export class SharedVisits {
  readonly #ownership: Ownership;
  readonly #loads: TaskLoads;
  readonly #host: SharedVisitsHost;

  constructor(ownership: Ownership, loads: TaskLoads, host: SharedVisitsHost) {
    this.#ownership = ownership;
    this.#loads = loads;
    this.#host = host;
  }

  /** As `TaskEngine.visit`; `live` is the task as it is in memory. */
  visit<T>(
    live: LiveTask | undefined,
    scope: Scope,
    id: string,
    use: Visitor<T>,
    options: VisitOptions<T>,
  ): MaybePromise<T> {
    const { purpose = "change" } = options;
    const look = purpose !== "change";
    if (live !== undefined && (isOurs(live) || (look && !live.settled))) return held(live, use);
    const visitor = meeting(use, options);
    const joined = this.#loads.join(scope, id, visitor, purpose);
    if (joined !== undefined) return joined;
    const open = (loaded: Loaded, visits: AnyVisitor<void>): void => {
      held(this.#met(scope, id, loaded, purpose), visits);
    };
    return this.#loads.begin(scope, id, this.#take(live, scope, id, look), visitor, open, purpose);
  }

  async #take(live: LiveTask | undefined, scope: Scope, id: string, look: boolean): Promise<Loaded> {
    // The end of a lease that is on its way must be there before it is taken anew.
    if (live !== undefined && !live.settled) await settledNow(live);
    return takeTask(this.#ownership, this.#host.store, scope, id, look);
  }

  #met(
    scope: Scope,
    id: string,
    { stored, lease, orphan, elsewhere }: Loaded,
    purpose: Purpose,
  ): Met | Elsewhere {
    const known = this.#host.known(scope, id);
    const mine = known?.lost === undefined ? known : undefined;
    if (mine !== undefined && isOurs(mine)) return mine.terminal && stored?.head.terminal ? stored : mine;
    if (stored === undefined) return undefined;
    const isCurrent =
      mine !== undefined &&
      elsewhere !== true &&
      !stored.head.terminal &&
      stored.revision <= mine.revision &&
      receivedBy(stored) <= mine.received;
    // Whoever listens to it follows what another instance makes of it.
    if (mine !== undefined && !isCurrent) overtaken(mine);
    if (elsewhere === true) return new Elsewhere(stored);
    if (stored.head.terminal) return stored;
    if (purpose === "follow" && lease === undefined) return new Elsewhere(stored);
    const live = isCurrent ? mine : this.#host.open(scope, stored);
    this.#ownership.took(live, lease, stored.fence);
    this.#host.keep(live, lease !== undefined);
    if (orphan !== undefined) this.#recover(live, stored, orphan);
    return live;
  }

  #recover(live: LiveTask, stored: StoredTask, orphan: Orphan): void {
    try {
      this.#host.recover?.(live, stored, orphan);
    } catch (error) {
      this.#host.report(`task ${live.id} could not be recovered`, error);
      live.lose(new A2AError("UNAVAILABLE", "The task cannot go on here", { cause: error }));
    }
  }
}

/** Whether the store can have nothing of a live task that is not known here. */
export const isOurs = (live: LiveTask): boolean => live.lease !== undefined || live.terminal;

/** Gives up a task that another went on with. */
export function overtaken(live: LiveTask): void {
  live.lose(new A2AError("UNAVAILABLE", "Another process went on with the task; ask for it again"));
}
