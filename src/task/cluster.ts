import type { EventBus, News } from "../bus/types.js";
import type { CommitEntry, Letter, MaybePromise, Scope, StoredTask, TaskStore } from "../store/types.js";
import { every } from "./clock.js";
import type { FarTask, FarTaskHost } from "./far-task.js";
import { FarTasks } from "./far-tasks.js";
import { Letters } from "./letters.js";
import { LiveTask } from "./live-task.js";
import { Mailbox, type LetterReader } from "./mailbox.js";
import type { Ownership } from "./ownership.js";
import type { Visitor } from "./task-loads.js";
import type { VisitOptions } from "./visit.js";

/** Milliseconds between looks into the store while the bus tells what happens: another instance may be cut off from it. */
const QUIET = { tasks: 5_000, letters: 1_000 };

/** How instances that share a store work together. */
export interface ClusterOptions {
  /** Milliseconds between looks into the store while no bus tells what happens. Default 250; 0: never by itself. */
  readonly pollMs?: number;
  /** Does what letters of other instances ask. Default: nobody does. */
  readonly read?: LetterReader;
}

/** What the instance needs of its engine. */
export interface ClusterHost {
  readonly store: TaskStore;
  readonly ownership: Ownership;
  readonly replay: FarTaskHost["replay"];
  peek(scope: Scope, id: string): LiveTask | undefined;
  visit<T>(scope: Scope, id: string, use: Visitor<T>, options: VisitOptions<T>): MaybePromise<T>;
  report(message: string, details: unknown): void;
}

/**
 * This instance among those that share its store: it follows tasks that others work on, writes to their owners, and reads
 * what others write to it. A bus tells at once what happens; without one, and while it is down, the store is looked at.
 */
export class Cluster {
  readonly #host: ClusterHost;
  readonly #tasks: FarTasks;
  readonly #letters: Letters;
  readonly #mailbox: Mailbox | undefined;
  readonly #pollMs: number;
  #bus: EventBus | undefined;
  #unlisten: (() => void) | undefined;
  #stop: (() => void) | undefined;
  #looked = { tasks: 0, letters: 0 };
  #leaving = false;
  #closed = false;

  constructor(host: ClusterHost, { pollMs = 250, read }: ClusterOptions) {
    const { store, ownership, replay } = host;
    const report = (message: string, details: unknown): void => {
      host.report(message, details);
    };
    this.#host = host;
    // Where no other process can write, there is nobody to look for.
    this.#pollMs = store.hints?.alone === true ? 0 : pollMs;
    this.#tasks = new FarTasks({ store, replay, report });
    this.#letters = new Letters({
      store,
      report,
      publish: ({ scope, taskId, id }) => {
        this.#publish([{ scope, taskId, letter: id }]);
      },
      visit: async (letter) => this.#visit(letter),
    });
    this.#mailbox =
      read &&
      new Mailbox({
        store,
        holder: ownership.holder,
        read,
        report,
        ours: ({ scope, taskId }, since) => {
          const live = host.peek(scope, taskId);
          return live?.lease === undefined || live.taken > since ? undefined : live;
        },
        taken: () => ownership.taken,
        answered: ({ scope, taskId, id }) => {
          this.#publish([{ scope, taskId, answered: id }]);
        },
      });
  }

  /** Looks into the store at intervals from now on. */
  start(): void {
    if (this.#pollMs <= 0 || this.#leaving) return;
    this.#stop ??= every(this.#pollMs, () => this.#beat());
    this.#letters.start();
  }

  /** Hears from now on what others tell, and tells them what happens here. */
  connect(bus: EventBus): void {
    // It may have taken longer to open than we live.
    if (this.#closed) return;
    this.#bus = bus;
    this.#unlisten = bus.listen({
      news: (news) => {
        this.#heard(news);
      },
      gap: () => {
        this.look();
      },
    });
    this.look();
  }

  /** Whether others tell it what they do. */
  get hears(): boolean {
    return this.#bus?.connected === true;
  }

  /** Tasks of others that somebody here follows. */
  get following(): number {
    return this.#tasks.size;
  }

  /** Looks for all that others may have done. */
  look(): void {
    this.#looked = { tasks: Date.now(), letters: Date.now() };
    void this.#tasks.lookAtAll();
    this.#letters.look();
    this.#readMail();
  }

  /** A task that was just read, as it goes on elsewhere. Whoever gets it watches or holds it at once. */
  follow(scope: Scope, stored: StoredTask): FarTask {
    return this.#tasks.followStored(scope, stored);
  }

  /** A task that was worked on here, as it goes on elsewhere; undefined where this instance is about to end. */
  further(live: LiveTask): FarTask | undefined {
    if (this.#leaving) return undefined;
    const task = this.#tasks.follow(live.scope, live.id, live.committed);
    void task.look();
    return task;
  }

  /** As `Letters.ask`. */
  ask(
    scope: Scope,
    taskId: string,
    text: string,
    caller?: { readonly signal: AbortSignal },
  ): Promise<string | undefined> {
    return this.#letters.ask(scope, taskId, text, caller);
  }

  /** This instance committed something. */
  committed(entry: CommitEntry): void {
    this.#tasks.committed(entry);
    const { answers = [], scope, taskId, events } = entry;
    for (const { id } of answers) this.#letters.answered(id);
    if (this.#bus === undefined) return;
    const revision = events.at(-1)?.n;
    const news: News[] = revision === undefined ? [] : [{ scope, taskId, revision, events }];
    for (const { id } of answers) news.push({ scope, taskId, answered: id });
    if (news.length > 0) this.#publish(news);
  }

  /** Lets stalled listeners go. */
  tick(now: number): void {
    this.#tasks.tick(now);
  }

  /** This instance is about to end: it takes no more letters, and what goes on here is not followed further. */
  leave(): void {
    this.#leaving = true;
    this.#mailbox?.close();
  }

  /** Ends what waits for other instances. */
  close(reason: Error): void {
    this.leave();
    this.#closed = true;
    this.#stop?.();
    this.#unlisten?.();
    this.#letters.close(reason);
    this.#tasks.lose(reason);
  }

  #publish(news: readonly News[]): void {
    this.#bus?.publish(news);
  }

  #heard(news: News): void {
    this.#tasks.heard(news);
    if (news.letter !== undefined) this.#readMail();
    if (news.answered !== undefined) this.#letters.answered(news.answered);
  }

  #beat(): void {
    const now = Date.now();
    const quiet = this.hears;
    if (!quiet || now - this.#looked.tasks >= QUIET.tasks) {
      this.#looked.tasks = now;
      this.#tasks.look();
    }
    if (!quiet || now - this.#looked.letters >= QUIET.letters) {
      this.#looked.letters = now;
      this.#letters.look();
      this.#readMail();
    }
  }

  #readMail(): void {
    if (this.#host.ownership.size > 0) void this.#mailbox?.look();
  }

  /** Whether somebody may still answer a letter; where that is this instance, it reads it now. */
  async #visit({ scope, taskId }: Letter): Promise<boolean> {
    const mine = await this.#host.visit<LiveTask | boolean>(
      scope,
      taskId,
      (task) => {
        if (!(task instanceof LiveTask)) return false;
        task.holds += 1;
        return task;
      },
      { elsewhere: () => true },
    );
    if (typeof mine === "boolean") return mine;
    await this.#mailbox?.look();
    mine.holds -= 1;
    mine.retireIfIdle();
    return true;
  }
}
