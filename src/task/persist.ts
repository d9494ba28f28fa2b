import type { MaybePromise } from "../store/types.js";
import type { TaskHost } from "./task-host.js";

/** Milliseconds before a request that failed is repeated. */
export const FIRST_RETRY = 50;
const RETRIES = [FIRST_RETRY, 250, 1_000];

/** A request to the store, repeated where it fails; rejects with the last failure. `what` names it in reports. */
export async function persist<T>(
  host: TaskHost,
  what: string,
  first: Promise<T>,
  again: () => MaybePromise<T>,
): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await (tries === 0 ? first : again());
    } catch (error) {
      host.report(what, error);
      const pause = RETRIES[tries];
      if (pause === undefined) throw error;
      await host.pause(pause);
    }
  }
}
