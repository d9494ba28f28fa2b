import { A2AError } from "../errors.js";
import { afterTick } from "./after-tick.js";
import type { FollowedTask } from "./followed-task.js";

/**
 * The one way to wait for a task: until `probe` gives something after a commit, or at once. Rejects with `ABORTED`
 * when the caller's signal fires, and with the reason when the task is lost to this process. `left` is asked when nobody works
 * on the task here any longer: what it gives ends the waiting.
 */
export function waitUntil<T>(
  live: Pick<FollowedTask, "lost" | "watch" | "unwatch">,
  probe: () => T | undefined,
  caller?: { readonly signal: AbortSignal },
  left?: () => T | undefined,
): Promise<T> | T {
  const now = probe();
  if (now !== undefined) return now;
  return new Promise<T>((resolve, reject) => {
    let signal: AbortSignal | undefined;
    let over = false;
    const end = (settle: () => void): void => {
      over = true;
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
      leave(): void {
        const value = left?.();
        if (value === undefined) return;
        end(() => {
          resolve(value);
        });
      },
    };
    live.watch(watcher);
    watcher.notify();
    // Most waits are over within the tick, and a signal costs more than they do: it is looked at only then.
    if (caller === undefined) return;
    afterTick(() => {
      if (over) return;
      ({ signal } = caller);
      if (signal.aborted) abort();
      else signal.addEventListener("abort", abort);
    });
  });
}
