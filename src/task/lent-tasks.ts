import type { Scope } from "../store/types.js";
import type { LiveTask } from "./live-task.js";
import { sameScope } from "./same-scope.js";

interface Ref {
  deref(): LiveTask | undefined;
}

/**
 * Live tasks that somebody outside may hold on to for as long as they like. The process forgets them like any other, but
 * whoever asks for such a task gets the same object again: there must never be two that write one task.
 */
export class LentTasks {
  readonly #refs = new Map<string, Ref>();

  add(live: LiveTask): void {
    // Runtimes without weak references keep the task until it ends.
    const ref: Ref = typeof WeakRef === "function" ? new WeakRef(live) : { deref: () => live };
    this.#refs.set(live.id, ref);
  }

  /** The task where it is of this scope. */
  get(scope: Scope, id: string): LiveTask | undefined {
    const live = this.#refs.size === 0 ? undefined : this.#refs.get(id)?.deref();
    return live !== undefined && sameScope(live.scope, scope) ? live : undefined;
  }

  all(): readonly LiveTask[] {
    return [...this.#refs.values()].map((ref) => ref.deref()).filter((live) => live !== undefined);
  }

  /** Forgets those that nobody holds any longer, and those that take nothing any more. */
  sweep(): void {
    for (const [id, ref] of this.#refs) {
      const live = ref.deref();
      if (live === undefined || live.lost !== undefined || (live.terminal && live.settled))
        this.#refs.delete(id);
    }
  }
}
