import { isDeepStrictEqual } from "node:util";
import type { Seen, StepLine } from "./contract.js";
import { expected } from "./expect.js";
import type { KnownEntry } from "./known.js";
import type { Row } from "./peers.js";

/** What a step came to. `absent`: that side does not have it; `known`: it is wrong there, and why is written down. */
export type Verdict =
  | { readonly outcome: "ok" }
  | { readonly outcome: "absent" | "known"; readonly reason: string }
  | { readonly outcome: "failed" | "stale"; readonly problem: string };

/** Holds what was seen against what must be, and against what is known to differ. */
export function judge(row: Row, line: StepLine, entries: readonly KnownEntry[]): Verdict {
  const must = expected(line.step, row.version, row.binding);
  if ("notOffered" in must) return { outcome: "absent", reason: must.notOffered };
  const wanted: Seen = "failed" in line ? { failed: undefined } : must.seen;
  const seen: Seen = "failed" in line ? { failed: line.failed } : line.seen;
  const differing = Object.keys(wanted).filter((name) => !isDeepStrictEqual(seen[name], wanted[name]));

  const claims = entries.flatMap(({ seen: claimed, reason }) =>
    Object.entries(claimed).map(([name, value]) => ({ name, value, reason })),
  );
  const holds = ({ name, value }: { name: string; value: unknown }): boolean =>
    differing.includes(name) && agrees(value, seen[name]);
  const unexplained = differing.filter(
    (name) => !claims.some((claim) => claim.name === name && holds(claim)),
  );
  if (unexplained.length > 0)
    return { outcome: "failed", problem: unexplained.map((name) => differ(name, seen, wanted)).join("; ") };
  const idle = claims.filter((claim) => !holds(claim));
  if (idle.length > 0)
    return {
      outcome: "stale",
      problem: idle.map(({ name, reason }) => `${name} is right now, remove: ${reason}`).join("; "),
    };
  if (entries.length === 0) return { outcome: "ok" };
  return {
    outcome: entries.some(({ kind }) => kind === "known") ? "known" : "absent",
    reason: [...new Set(entries.map(({ reason }) => reason))].join("; "),
  };
}

/** A text that ends in … is the beginning of what is seen: addresses and ids change from run to run. */
const agrees = (claimed: unknown, seen: unknown): boolean =>
  typeof claimed === "string" && claimed.endsWith("…")
    ? typeof seen === "string" && seen.startsWith(claimed.slice(0, -1))
    : isDeepStrictEqual(claimed, seen);

const differ = (name: string, seen: Seen, wanted: Seen): string =>
  name === "failed"
    ? String(seen["failed"])
    : `${name} is ${JSON.stringify(seen[name])} instead of ${JSON.stringify(wanted[name])}`;
