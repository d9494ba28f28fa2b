import type { ServerState } from "./server-state.js";

/** How a server is: `draining` ends soon, `unavailable` cannot work now. */
export type Readiness = "ok" | "draining" | "unavailable";

/** What readiness depends on. */
export interface ReadinessSource {
  readonly state: Pick<ServerState, "draining">;
  /** Rejects, or takes too long, where the server cannot work. */
  readonly check?: (() => unknown) | undefined;
}

/** The store is asked at most once in so many milliseconds, however often somebody without a name asks us. */
const KEEP_MS = 1_000;
/** Milliseconds that a store may take. */
const PATIENCE_MS = 2_000;

/** Tells how a server is, as often as anybody asks. */
export function createReadiness({ state, check }: ReadinessSource): () => Promise<Readiness> {
  let asked = Number.NEGATIVE_INFINITY;
  let works: Promise<boolean> = Promise.resolve(true);
  return async () => {
    if (state.draining) return "draining";
    const now = performance.now();
    if (check !== undefined && now - asked >= KEEP_MS) {
      asked = now;
      works = inTime(check);
    }
    return (await works) ? "ok" : "unavailable";
  };
}

const inTime = async (check: () => unknown): Promise<boolean> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE_MS);
  });
  try {
    return await Promise.race([Promise.resolve(check()).then(() => true), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
};
