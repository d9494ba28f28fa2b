import { A2AError } from "../errors.js";
import type { LiveTask } from "./live-task.js";

/**
 * The one way to wait for a task: until `probe` gives something after a commit, or at once. Rejects with `ABORTED`
 * when `signal` fires, and with the reason when the task is lost to this process.
 */
export function waitUntil<T>(
  live: LiveTask,
  probe: () => T | undefined,
  signal?: AbortSignal,
): Promise<T> | T {
  const now = probe();
  if (now !== undefined) return now;
  return new Promise<T>((resolve, reject) => {
    const end = (settle: () => void): void => {
      signal?.removeEventListener("abort", abort);
      live.unwatch(watcher);
      settle();
    };
    const abort = (): void => {
      end(() => {
        reject(new A2AError("ABORTED", "The caller went away", { cause: signal?.reason }));
      });
    };
    const watcher = {
      notify(): void {
        const value = probe();
        if (value !== undefined) {
          end(() => {
            resolve(value);
          });
        } else if (live.lost !== undefined) {
          const reason = live.lost;
          end(() => {
            reject(reason);
          });
        }
      },
    };
    live.watch(watcher);
    if (signal?.aborted === true) abort();
    else signal?.addEventListener("abort", abort);
    watcher.notify();
  });
}
