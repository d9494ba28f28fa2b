import type { StoredConfig } from "../store/types.js";

/** Registrations whose failures are remembered; beyond it the oldest are forgotten. */
const LIMIT = 10_000;

/** Counts the events that were given up in a row, per registration. */
export interface FailureCounts {
  /** One more; a registration that was replaced begins anew. */
  add(key: string, config: StoredConfig): number;
  reset(key: string): void;
}

/** Counts in memory: after a restart they begin anew. */
export function createFailureCounts(): FailureCounts {
  const counts = new Map<string, { readonly text: string; readonly count: number }>();
  return {
    add(key, { text }) {
      const known = counts.get(key);
      const count = known?.text === text ? known.count + 1 : 1;
      counts.delete(key);
      counts.set(key, { text, count });
      const [oldest = ""] = counts.size > LIMIT ? counts.keys() : [];
      counts.delete(oldest);
      return count;
    },
    reset(key) {
      counts.delete(key);
    },
  };
}
