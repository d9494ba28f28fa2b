import { A2AError } from "../errors.js";
import { afterTick } from "./after-tick.js";
import type { FollowedTask } from "./followed-task.js";
import type { Watcher } from "./watcher.js";

/** What is waited for. */
export interface Awaiting<T> {
  /** Asked at once and after each commit: what it gives ends the waiting. */
  probe(): T | undefined;
  /** Asked when nobody works on the task here any longer, with the same effect. */
  left?(): Promise<T> | T | undefined;
  /** The task was lost to this process, or the caller went away: gives what ends the waiting, or throws. */
  failed?(reason: unknown): Promise<T>;
}

/** What of a task is needed to wait for it. */
type Awaited = Pick<FollowedTask, "lost" | "watch" | "unwatch">;

/**
 * The one way to wait for a task: until there is something after a commit, or at once. Rejects with `ABORTED`
 * when the caller's signal fires, and with the reason when the task is lost to this process, unless `failed` has an answer.
 */
export function waitUntil<T>(
  live: Awaited,
  what: Awaiting<T> | (() => T | undefined),
  caller?: { readonly signal: AbortSignal },
): Promise<T> | T {
  const awaiting = typeof what === "function" ? { probe: what } : what;
  const now = awaiting.probe();
  return now === undefined ? new Wait(live, awaiting).begin(caller) : now;
}

/** One who waits. */
class Wait<T> implements Watcher {
  readonly #live: Awaited;
  readonly #what: Awaiting<T>;
  #resolve: ((value: T | Promise<T>) => void) | undefined;
  #reject: ((reason: unknown) => void) | undefined;
  #signal: AbortSignal | undefined;

  constructor(live: Awaited, what: Awaiting<T>) {
    this.#live = live;
    this.#what = what;
  }

  begin(caller: { readonly signal: AbortSignal } | undefined): Promise<T> {
    const promise = new Promise<T>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#live.watch(this);
    this.notify();
    // Most waits are over within the tick, and a signal costs more than they do: it is looked at only then.
    if (caller !== undefined) afterTick(() => this.#listen(caller));
    return promise;
  }

  notify(): void {
    if (this.#resolve === undefined) return;
    const value = this.#what.probe();
    if (value !== undefined) this.#end()?.(value);
    else if (this.#live.lost !== undefined) this.#fail(this.#live.lost);
  }

  leave(): void {
    const value = this.#what.left?.();
    if (value !== undefined) this.#end()?.(value);
  }

  /** The caller went away. */
  handleEvent(): void {
    this.#fail(new A2AError("ABORTED", "The caller went away", { cause: this.#signal?.reason }));
  }

  #listen(caller: { readonly signal: AbortSignal }): void {
    if (this.#resolve === undefined) return;
    this.#signal = caller.signal;
    if (this.#signal.aborted) this.handleEvent();
    else this.#signal.addEventListener("abort", this);
  }

  #fail(reason: unknown): void {
    const reject = this.#reject;
    const resolve = this.#end();
    if (this.#what.failed === undefined) reject?.(reason);
    else resolve?.(this.#what.failed(reason));
  }

  /** What resolves it, the first time. */
  #end(): ((value: T | Promise<T>) => void) | undefined {
    const resolve = this.#resolve;
    this.#resolve = this.#reject = undefined;
    this.#signal?.removeEventListener("abort", this);
    this.#live.unwatch(this);
    return resolve;
  }
}
