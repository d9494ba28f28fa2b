import { A2AError } from "../errors.js";
import { IdTable } from "../id-table.js";
import type {
  CommitEntry,
  CommitResult,
  MaybePromise,
  Scope,
  StoredConfig,
  StoredTask,
  TaskStore,
} from "../store/types.js";
import type { Task } from "../versions/pivot.js";
import { afterTick, atTickEnd } from "./after-tick.js";
import { every, later, type Clock } from "./clock.js";
import { createCommitter, type Committer, type EntrySource } from "./committer.js";
import { countingStore } from "./counting-store.js";
import { Cluster } from "./cluster.js";
import { cutTask, type TaskView } from "./cut-task.js";
import type { OutboxReader, TaskEngineOptions } from "./engine-options.js";
import { LentTasks } from "./lent-tasks.js";
import { LiveTask } from "./live-task.js";
import type { FollowedEvent } from "./followed-event.js";
import type { FarTask } from "./far-task.js";
import type { FollowedTask } from "./followed-task.js";
import { foldStored, receivedBy, storedText } from "./load-task.js";
import { replay } from "./replay.js";
import { LEASES, Ownership } from "./ownership.js";
import { createRecovery } from "./recovery.js";
import { sameScope } from "./same-scope.js";
import type { SubscriptionStart } from "./subscription.js";
import { subscriberLimits, type SubscriberLimits } from "./subscriber-limits.js";
import { isOurs, overtaken, SharedVisits } from "./shared-visits.js";
import { storeSweep } from "./store-sweep.js";
import { TaskFold } from "./task-fold.js";
import type { TaskHost, Wanted } from "./task-host.js";
import { TaskLoads, type AnyVisitor, type Met, type Visitor } from "./task-loads.js";
import { held, meeting, settledNow, type VisitOptions } from "./visit.js";
import { waitUntil } from "./wait-until.js";
import { WebhookRegistry } from "./webhook-registry.js";

/** The tasks of one server: live ones in memory, all of them in the store. */
export class TaskEngine implements TaskHost {
  readonly #store: TaskStore;
  readonly now: Clock;
  readonly limits: SubscriberLimits;
  readonly report: (message: string, details: unknown) => void;
  readonly wanted: Wanted | undefined;
  readonly ownership: Ownership | undefined;
  readonly webhooks: WebhookRegistry;
  /** The other instances, where others write to the store. */
  readonly cluster: Cluster | undefined;
  readonly #live = new IdTable<LiveTask>();
  /** New tasks of this tick that the store does not know of yet. */
  #newborn: LiveTask[] = [];
  readonly #loads = new TaskLoads();
  readonly #lent = new LentTasks();
  #committer: Committer;
  readonly #onLost: ((live: LiveTask, reason: Error) => void) | undefined;
  readonly #onSweep: ((now: number) => void) | undefined;
  readonly #push: OutboxReader | undefined;
  readonly #sweepMs: number;
  readonly #sweepStore: (now: number) => Promise<void>;
  readonly #shared: SharedVisits | undefined;
  readonly #lookForOrphans: () => Promise<number>;
  #stopSweeping: (() => void) | undefined;
  #stopLooking: (() => void) | undefined;
  #closed = false;
  #recovers: boolean;

  constructor(options: TaskEngineOptions) {
    this.#store = options.store;
    this.now = options.now ?? Date.now;
    this.limits = { ...subscriberLimits, ...options.limits };
    this.report = options.report ?? ((): void => undefined);
    this.#onLost = options.onLost;
    this.#onSweep = options.onSweep;
    this.#push = options.push;
    this.wanted = options.push?.wanted;
    this.#committer = createCommitter(options.store);
    this.#sweepMs = options.sweepMs ?? 1_000;
    this.#recovers = options.recover !== undefined;
    const { report } = this;
    const { store } = options;
    this.#sweepStore = storeSweep(store, report);
    this.webhooks = new WebhookRegistry({
      store: () => this.store,
      push: options.push,
      peek: (scope, id) => this.peek(scope, id),
    });
    this.ownership =
      store.hints?.durable === true ? new Ownership(this, options.leases ?? LEASES) : undefined;
    this.#shared =
      this.ownership &&
      new SharedVisits(this.ownership, this.#loads, {
        store,
        report,
        recover: options.recover,
        known: (scope, id) => this.peek(scope, id) ?? this.#lent.get(scope, id),
        open: (scope, stored) => this.#fromStore(scope, stored),
        keep: (live, taken) => {
          if (!this.#live.has(live)) this.#back(live);
          // Others may have registered some while nobody worked on it.
          else if (taken && live.settled) this.webhooks.find(live);
        },
      });
    const { ownership } = this;
    this.cluster =
      ownership &&
      new Cluster(
        {
          store,
          ownership,
          report,
          replay: (task, after, size) => this.replay(task, after, size),
          peek: (scope, id) => this.peek(scope, id),
          visit: (scope, id, use, how) => this.visit(scope, id, use, how),
        },
        options.cluster ?? {},
      );
    this.#lookForOrphans = createRecovery({
      store,
      report,
      now: () => this.ownership?.now() ?? this.now(),
      take: async (scope, id) => this.visit(scope, id, () => true, { elsewhere: () => false }),
    });
  }

  /**
   * In a store that others write to: compares clocks, looks for tasks that nobody works on any more, and goes on looking
   * by itself unless `sweepMs` is 0. Resolves when clocks are compared.
   */
  async start(): Promise<void> {
    const { ownership } = this;
    if (ownership === undefined) return;
    try {
      await ownership.measure();
    } catch (error) {
      this.report("the clock of the task store could not be read", error);
    }
    if (this.#sweepMs <= 0 || this.#closed) return;
    this.#stopLooking = every(ownership.leaseMs / 3, () => void this.look());
    void this.look();
    this.cluster?.start();
    // Those who follow what others do must be looked at, too.
    this.#keepSweeping();
  }

  /**
   * Renews leases, takes over tasks whose leases ran out, and looks what other instances did; resolves with how many tasks were
   * taken over.
   */
  async look(): Promise<number> {
    this.cluster?.look();
    const [, taken] = await Promise.all([
      this.ownership?.renew(),
      this.#recovers ? this.#lookForOrphans() : 0,
    ]);
    return taken;
  }

  /** The store, with all that this engine has for it now. */
  get store(): TaskStore {
    if (this.#newborn.length > 0) this.#storeNewborn();
    return this.#store;
  }

  /** Takes over nothing more: the server is about to end. */
  stopRecovery(): void {
    this.#recovers = false;
    this.cluster?.leave();
  }

  /** A new task: event 1, committed or on its way. */
  create(...task: Parameters<TaskEngine["open"]>): LiveTask {
    const live = this.open(...task);
    live.flush();
    return live;
  }

  /**
   * As `create`, for whoever may end the task at once: where it makes no difference to anybody who asks, its event 1 is committed with
   * what comes next, by the end of the tick.
   */
  open(
    scope: Scope,
    task: Task,
    contextId: string,
    configs?: readonly StoredConfig[],
    agent?: string,
  ): LiveTask {
    const live = new LiveTask(
      this,
      { scope, contextId, revision: 0, received: 0, fold: new TaskFold(task), agent },
      this.#store.hints?.keepsEvents === true,
    );
    this.#add(live);
    this.ownership?.begin(live);
    live.begin(task, configs);
    // What outlives the process must not be begun before it is stored.
    if (this.ownership !== undefined || !this.#committer.instant) live.flush();
    else if (this.#newborn.push(live) === 1) {
      atTickEnd(() => {
        this.#storeNewborn();
      });
    }
    return live;
  }

  #storeNewborn(): void {
    const newborn = this.#newborn;
    this.#newborn = [];
    for (const live of newborn) live.flush();
  }

  /** The task if it lives here and is of this scope. */
  peek(scope: Scope, id: string): LiveTask | undefined {
    const live = this.#live.get(id);
    return live !== undefined && sameScope(live.scope, scope) ? live : undefined;
  }

  /** A task to look at, live or as stored. Undefined where the scope has none of this id. To change it: `visit`. */
  find(scope: Scope, id: string): MaybePromise<LiveTask | StoredTask | undefined> {
    const live = this.peek(scope, id);
    if (live !== undefined && this.#isSure(live)) return live;
    const stored = this.#store.read(scope, id);
    if (!(stored instanceof Promise)) return stored;
    // It may have become live while the store was asked.
    return stored.then((found) => this.peek(scope, id) ?? found);
  }

  /**
   * The one way to *the* live task of an id: `use` gets it, made live from what is stored where need be; or what is stored
   * of a task that has ended. Nothing comes between the look at the store and `use`, and reads that overlap are one, so no
   * task has two writers here. The task stays live until `use` returns: what goes on later must hold or watch it by then.
   * In a store that others write to, its lease is taken first; see `VisitOptions`.
   */
  visit<T>(scope: Scope, id: string, use: Visitor<T>, options: VisitOptions<T> = {}): MaybePromise<T> {
    const live = this.peek(scope, id);
    if (this.#shared !== undefined) return this.#shared.visit(live, scope, id, use, options);
    if (live !== undefined) return held(live, use);
    const visitor = meeting(use, options);
    const joined = this.#loads.join(scope, id, visitor, "change");
    if (joined !== undefined) return joined;
    const stored = this.#store.read(scope, id);
    if (!(stored instanceof Promise)) return held(this.#current(scope, id, stored), use);
    const open = (found: StoredTask | undefined, visits: AnyVisitor<void>): void => {
      held(this.#current(scope, id, found), visits);
    };
    return this.#loads.begin(scope, id, stored, visitor, open, "change");
  }

  /** Whether the store can have nothing of a live task that is not known here. */
  #isSure(live: LiveTask): boolean {
    return this.#shared === undefined || isOurs(live);
  }

  /**
   * A task for somebody who keeps it, for changes at any time: `rejoin` comes before each. Undefined where the scope has
   * none of this id.
   */
  lend(scope: Scope, id: string): MaybePromise<LiveTask | undefined> {
    const keep = (task: Met): LiveTask | undefined => {
      // What has ended takes no changes, so it need not be the only one.
      const live = task === undefined || isLive(task) ? task : this.#fromStore(scope, task);
      if (live?.terminal === false) this.#lent.add(live);
      return live;
    };
    // Nobody knows when it is changed, so its lease stays free: what is written stands or falls with its revision.
    return this.visit(scope, id, keep, { purpose: "look" });
  }

  /** Puts a lent task that the process forgot back, until it is at rest again. */
  rejoin(live: LiveTask): LiveTask {
    if (live.terminal || live.lost !== undefined || this.#live.has(live)) return live;
    this.#back(live);
    afterTick(() => {
      live.retireIfIdle();
    });
    return live;
  }

  /** What was just read, as it stands: live unless it has ended. */
  #current(scope: Scope, id: string, stored: StoredTask | undefined): LiveTask | StoredTask | undefined {
    const known = this.peek(scope, id);
    if (known !== undefined || stored === undefined) return known;
    const lent = this.#lent.get(scope, id);
    if (lent !== undefined && lent.lost === undefined) {
      if (stored.revision <= lent.committed && receivedBy(stored) <= lent.received) {
        if (!lent.terminal) this.#back(lent);
        else if (stored.head.terminal) return stored;
        return lent;
      }
      overtaken(lent);
    }
    if (stored.head.terminal) return stored;
    const live = this.#fromStore(scope, stored);
    this.#back(live);
    return live;
  }

  #back(live: LiveTask): void {
    this.#add(live);
    this.webhooks.find(live);
  }

  #fromStore(scope: Scope, stored: StoredTask): LiveTask {
    return new LiveTask(
      this,
      {
        scope,
        contextId: stored.head.contextId,
        revision: stored.revision,
        received: receivedBy(stored),
        fold: foldStored(stored),
        agent: stored.snapshot.agent,
      },
      this.#store.hints?.keepsEvents === true,
    );
  }

  /** A task that was just read and that others work on, or may. Whoever gets it watches or holds it at once. */
  follow(scope: Scope, stored: StoredTask): FarTask {
    if (this.cluster === undefined) throw new TypeError("This store is not shared");
    return this.cluster.follow(scope, stored);
  }

  /** For whoever listens to a live task: how it goes on where this instance works on it no longer. */
  further(live: LiveTask): Pick<SubscriptionStart, "elsewhere"> | undefined {
    const { cluster } = this;
    return cluster && { elsewhere: () => cluster.further(live) };
  }

  /** The text of a task as a reply shows it: what is committed, no more. */
  text(scope: Scope, id: string, view: TaskView = {}): MaybePromise<string | undefined> {
    const live = this.peek(scope, id);
    if (live !== undefined && (this.#isSure(live) || !live.settled)) return this.textOf(live, view);
    const shown = (stored: StoredTask | undefined): string | undefined =>
      stored === undefined ? undefined : cutTask(storedText(stored), view);
    const stored = this.#store.read(scope, id);
    return stored instanceof Promise ? stored.then(shown) : shown(stored);
  }

  /** The text of a live task as it is now, once that is committed. */
  textOf(live: LiveTask, view: TaskView = {}): MaybePromise<string> {
    live.flush();
    const text = cutTask(live.text(), view);
    const { version } = live;
    return waitUntil(live, () => (live.committedVersion >= version ? text : undefined));
  }

  commit(source: EntrySource): MaybePromise<CommitResult> {
    return this.#committer.commit(source);
  }

  outboxWritten(): void {
    this.#push?.wake();
  }

  committed(entry: CommitEntry): void {
    this.cluster?.committed(entry);
  }

  retire(live: LiveTask): void {
    this.#live.delete(live);
  }

  lost(live: LiveTask, reason: Error): void {
    this.ownership?.drop(live);
    this.#onLost?.(live, reason);
  }

  replay(
    task: FollowedTask,
    after: number,
    size: number,
  ): MaybePromise<readonly FollowedEvent[] | undefined> {
    const { scope, id, committed: upTo } = task;
    const failed = (error: unknown): undefined => {
      this.report(`task ${id}: a stream ends, its events could not be read`, error);
      return undefined;
    };
    try {
      const events = replay(this.#store, { scope, id, after, upTo, size });
      return events instanceof Promise ? events.catch(failed) : events;
    } catch (error) {
      failed(error);
      return undefined;
    }
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      later(ms, resolve);
    });
  }

  /**
   * Lets stalled subscribers go; every tenth time also expired tasks and events of the store. Runs by itself every
   * `sweepMs`, from the first task on.
   */
  async sweep(now: number): Promise<void> {
    for (const live of this.#live.all()) live.tick(now);
    this.cluster?.tick(now);
    this.#onSweep?.(now);
    this.#lent.sweep();
    await this.#sweepStore(now);
  }

  // A timer is not for those who only make a server: some platforms allow none before the first request.
  #add(live: LiveTask): void {
    this.#live.add(live);
    this.#keepSweeping();
  }

  #keepSweeping(): void {
    if (this.#sweepMs <= 0 || this.#closed) return;
    this.#stopSweeping ??= every(this.#sweepMs, () => void this.sweep(this.now()));
  }

  /** Tasks that live here now. */
  get size(): number {
    return this.#live.size;
  }

  /** Tells how many events each commit writes, from now on. */
  countEvents(count: (events: number) => void): void {
    this.#committer = createCommitter(countingStore(this.#store, count));
  }

  /** The tasks that live here now. */
  live(): readonly LiveTask[] {
    return this.#live.all();
  }

  /** Gives up a task that nobody works on here: its streams end so that they can be resumed. */
  release(live: LiveTask): void {
    live.flush();
    live.lose(closing());
  }

  /** Resolves when the store has all that was applied until now, or never will. */
  async settled(): Promise<void> {
    await Promise.all(this.live().map(settledNow));
  }

  /**
   * Ends streams so that they can be resumed, and answers who waits with UNAVAILABLE. Resolves when others may take over
   * the tasks that were worked on here.
   */
  async close(): Promise<void> {
    this.#closed = true;
    this.#stopSweeping?.();
    this.#stopLooking?.();
    for (const live of this.live()) live.flush();
    const handOver = this.ownership?.handOver();
    const reason = closing();
    this.cluster?.close(reason);
    for (const live of [...this.live(), ...this.#lent.all()]) live.lose(reason);
    await handOver?.();
  }
}

const closing = (): A2AError => new A2AError("UNAVAILABLE", "This agent is shutting down; try again later");

/** Whether a found task is live. */
export const isLive = (task: LiveTask | StoredTask): task is LiveTask => task instanceof LiveTask;
