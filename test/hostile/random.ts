import fc from "fast-check";

/** Chance that can be repeated: everything follows from the seed. */
export interface Random {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
  /** Any JSON, as fast-check makes it. */
  json(): unknown;
}

const POOL = 2_000;

/** A generator (mulberry32) over a pool of values of fast-check of the same seed. */
export function createRandom(seed: number): Random {
  const pool = fc.sample(fc.jsonValue({ maxDepth: 4 }), { seed, numRuns: POOL });
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * limit);
  };
  const pick = <T>(list: readonly T[]): T => {
    const found = list[below(list.length)];
    if (found === undefined) throw new Error("nothing to pick from");
    return found;
  };
  return { below, pick, json: () => pool[below(POOL)] ?? null };
}
