import { A2AError } from "../errors.js";
import type { LiveTask } from "./live-task.js";

/**
 * The one way to wait for a task: until `test` holds after a commit. Rejects with `ABORTED` when `signal` fires, and
 * with the reason when the task is lost to this process.
 */
export function waitUntil(
  live: LiveTask,
  test: () => boolean,
  signal?: () => AbortSignal | undefined,
): Promise<void> {
  if (test()) return Promise.resolve();
  if (live.lost !== undefined) return Promise.reject(live.lost);
  return new Promise((resolve, reject) => {
    const watcher = {
      notify(): void {
        if (test()) end(resolve);
        else if (live.lost !== undefined) end(reject, live.lost);
      },
    };
    const abort = (): void => {
      end(reject, new A2AError("ABORTED", "The caller went away", { cause: aborted?.reason }));
    };
    const aborted = signal?.();
    const end = <T>(settle: (value: T) => void, value?: T): void => {
      live.unwatch(watcher);
      aborted?.removeEventListener("abort", abort);
      settle(value as T);
    };
    live.watch(watcher);
    if (aborted?.aborted === true) abort();
    else aborted?.addEventListener("abort", abort);
  });
}
