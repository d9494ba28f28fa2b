import { A2AError } from "../errors.js";
import type { CommitEntry, CommitResult, Lease, MaybePromise, TaskStore } from "../store/types.js";
import type { Clock } from "./clock.js";
import type { EntrySource } from "./committer.js";
import type { LiveTask } from "./live-task.js";

/** What the leases of an instance need of the engine around them. */
export interface OwnershipHost {
  readonly store: Pick<TaskStore, "lease" | "clock">;
  readonly now: Clock;
  commit(source: EntrySource): MaybePromise<CommitResult>;
  report(message: string, details: unknown): void;
}

/** How long leases last. */
export interface LeaseOptions {
  /** Milliseconds that a lease lasts unless it is renewed, which happens three times as often. */
  readonly leaseMs: number;
  /** Milliseconds that a task may stay at work without anybody who works on it. */
  readonly detachedTimeout: number;
}

/** Leases where nobody says otherwise: 15 s; detached tasks 24 h. */
export const LEASES: LeaseOptions = { leaseMs: 15_000, detachedTimeout: 24 * 60 * 60 * 1_000 };

/**
 * The leases that this instance holds, in a store that others write to. A task has one while somebody here works on it; at
 * rest, at its end and when it is detached it has none, and what is written then stands or falls with its revision and fence.
 */
export class Ownership {
  /** Names this instance. */
  readonly holder = crypto.randomUUID();
  readonly leaseMs: number;
  readonly #host: OwnershipHost;
  readonly #detachedTimeout: number;
  readonly #held = new Set<LiveTask>();
  /** Leases that are being let go of, by task. */
  readonly #leaving = new Map<string, Promise<void>>();
  /** The clock of the store is that much ahead of ours. */
  #offset = 0;
  /** The last comparison took too long to be good. */
  #unsure = false;
  #renewing = false;
  /** How many tasks were taken so far. */
  taken = 0;

  constructor(host: OwnershipHost, { leaseMs, detachedTimeout }: LeaseOptions) {
    this.#host = host;
    this.leaseMs = Math.ceil(leaseMs);
    this.#detachedTimeout = Math.ceil(detachedTimeout);
  }

  /** Milliseconds since the epoch, by the clock that all who share the store go by. */
  now(): number {
    // Whole: stores keep the end of a lease as a whole number.
    return Math.round(this.#host.now() + this.#offset);
  }

  /** How many leases are held. */
  get size(): number {
    return this.#held.size;
  }

  /**
   * Compares our clock with that of the store. The answer is of some moment between question and answer: where that is
   * long (a store is opened by its first question), it is asked again.
   */
  async measure(): Promise<void> {
    const { store } = this.#host;
    if (store.clock === undefined) return;
    for (let tries = 0; tries < 3; tries += 1) {
      const before = this.#host.now();
      const theirs = await store.clock();
      const after = this.#host.now();
      this.#offset = theirs - (before + after) / 2;
      this.#unsure = after - before > this.leaseMs / 10;
      if (!this.#unsure) return;
    }
  }

  /** A new task: its first entry takes the lease. */
  begin(live: LiveTask): void {
    live.fence = 1;
    live.lease = { holder: this.holder, expires: this.now() + this.leaseMs, fence: 1 };
    this.#hold(live);
  }

  /** A stored task was made live: with a lease, or only to be looked at; `fence` is what the store has seen. */
  took(live: LiveTask, lease: Lease | undefined, fence: number): void {
    if (live.lease !== undefined) return;
    live.fence = Math.max(live.fence, lease?.fence ?? fence);
    if (lease === undefined || live.terminal) return;
    live.lease = lease;
    this.#hold(live);
  }

  /** What the next entry of a task says of its lease. */
  claim(live: LiveTask, birth: boolean): Pick<CommitEntry, "fence" | "lease"> {
    const { lease } = live;
    const goesOn = lease !== undefined && live.session?.goesOn === true;
    if (live.terminal || (live.interrupted && !goesOn)) {
      this.drop(live);
      if (!birth) return { fence: live.fence, lease: null };
      // Nobody ever saw a lease of it.
      live.fence = 0;
      return { fence: 0 };
    }
    if (lease === undefined || (live.unattended && !goesOn)) {
      this.drop(live);
      return { fence: live.fence, lease: this.#forAnybody(live.fence) };
    }
    return birth ? { fence: lease.fence, lease } : { fence: lease.fence };
  }

  /** Nobody here works on the task any longer: whoever likes may have it. */
  idle(live: LiveTask): void {
    const { lease } = live;
    if (lease === undefined) return;
    this.drop(live);
    if (live.terminal || live.lost !== undefined) return;
    const entry: CommitEntry = {
      scope: live.scope,
      taskId: live.id,
      fence: lease.fence,
      events: [],
      lease: live.interrupted ? null : this.#forAnybody(lease.fence),
    };
    const leaving = this.#letGo(live.id, entry).finally(() => {
      if (this.#leaving.get(live.id) === leaving) this.#leaving.delete(live.id);
    });
    this.#leaving.set(live.id, leaving);
  }

  /** Resolves when a lease that is being let go of is gone. */
  left(taskId: string): Promise<void> | undefined {
    return this.#leaving.get(taskId);
  }

  /** Forgets a lease: it is in another's hands, or its end is written. */
  drop(live: LiveTask): void {
    live.lease = undefined;
    this.#held.delete(live);
  }

  /**
   * Renews all leases in one call. A task whose lease is not ours any more, or has run out because the store could not be
   * asked, is lost here.
   */
  async renew(): Promise<void> {
    const now = this.now();
    const due: { readonly live: LiveTask; readonly lease: Lease }[] = [];
    for (const live of this.#held) {
      const { lease } = live;
      if (lease === undefined) continue;
      // The store does not know yet what is about to be born.
      if (lease.expires > now) {
        if (live.committed > 0) due.push({ live, lease });
      } else live.lose(lost("its lease ran out while the task store could not be reached"));
    }
    if ((due.length === 0 && !this.#unsure) || this.#renewing) return;
    this.#renewing = true;
    try {
      await this.measure();
      if (due.length === 0) return;
      const expires = this.now() + this.leaseMs;
      const leases = due.map(({ live: { scope, id: taskId }, lease }) => ({ scope, taskId, lease }));
      const kept = await this.#host.store.lease.renew(leases, expires);
      due.forEach(({ live, lease }, i) => {
        // It may have been let go of meanwhile.
        if (live.lease !== lease) return;
        if (kept[i] === true) live.lease = { ...lease, expires };
        else live.lose(lost("another instance took it over"));
      });
    } catch (error) {
      this.#host.report("renewing the leases of tasks failed", error);
    } finally {
      this.#renewing = false;
    }
  }

  /** What is held now, to be handed over once nothing is written here any more. */
  handOver(): () => Promise<void> {
    const leases: { scope: LiveTask["scope"]; taskId: string; lease: Lease }[] = [];
    for (const { scope, id: taskId, lease } of this.#held) if (lease) leases.push({ scope, taskId, lease });
    return async () => {
      try {
        await Promise.all(this.#leaving.values());
        if (leases.length > 0) await this.#host.store.lease.renew(leases, 0);
      } catch (error) {
        this.#host.report("the leases of tasks could not be let go of", error);
      }
    };
  }

  #hold(live: LiveTask): void {
    this.#held.add(live);
    this.taken += 1;
    live.taken = this.taken;
  }

  async #letGo(taskId: string, entry: CommitEntry): Promise<void> {
    try {
      // Refused where another has it already, which is as well.
      await this.#host.commit({ entry: () => entry });
    } catch (error) {
      this.#host.report(`task ${taskId}: its lease could not be let go of`, error);
    }
  }

  #forAnybody(fence: number): Lease {
    return { holder: "", expires: this.now() + this.#detachedTimeout, fence };
  }
}

const lost = (why: string): A2AError =>
  new A2AError("UNAVAILABLE", `The task cannot go on here: ${why}; get the task to see how it stands`);
