import type { MaybePromise } from "../store/types.js";
import type { TaskHost } from "./task-host.js";

/** Milliseconds before a request that failed is repeated. */
export const FIRST_RETRY = 50;
/** Milliseconds before it is repeated again; the last of them from then on. */
const RETRIES = [FIRST_RETRY, 250, 1_000] as const;
const LAST_RETRY = 1_000;

/** What is asked of the store, and for whom. */
export interface Persisted<T> {
  /** Names it in reports. */
  readonly what: string;
  /** The first try, which is on its way. */
  readonly first: Promise<T>;
  readonly again: () => MaybePromise<T>;
  /** Why nobody wants it any more. */
  readonly lost: () => Error | undefined;
}

/**
 * A request to the store, repeated where it fails; rejects with the last failure. In a store that others write to it goes on for
 * as long as a lease lasts, since nobody else goes on with the task before that; else after the third repetition it is over.
 */
export async function persist<T>(host: TaskHost, { what, first, again, lost }: Persisted<T>): Promise<T> {
  const patience = host.ownership?.leaseMs ?? 0;
  let waited = 0;
  for (let tries = 0; ; tries += 1) {
    try {
      return await (tries === 0 ? first : again());
    } catch (error) {
      // One report tells it as well as many.
      if (tries < RETRIES.length) host.report(what, error);
      const pause = RETRIES[tries] ?? (waited < patience ? LAST_RETRY : undefined);
      if (pause === undefined || lost() !== undefined) throw error;
      waited += pause;
      await host.pause(pause);
    }
  }
}
