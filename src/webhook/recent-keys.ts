import type { SeenKeys } from "./types.js";

/** The keys of the last `limit` notifications, in memory. Default 10,000. */
export function recentKeys(limit = 10_000): SeenKeys & { has(key: string): boolean } {
  const keys = new Set<string>();
  return {
    has: (key) => keys.has(key),
    add(key) {
      keys.add(key);
      const [oldest = ""] = keys.size > limit ? keys : [];
      keys.delete(oldest);
    },
  };
}
