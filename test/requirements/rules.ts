import { readFileSync } from "node:fs";

/** A rule of A2A 1.0.1, in our words. */
export interface Rule {
  /** `A2A-<section>-<letter>`. */
  readonly id: string;
  readonly section: string;
  readonly level: "MUST" | "SHOULD" | "MAY";
  /** By shape, example or a standard that is referred to, not by the keyword itself. */
  readonly implied: boolean;
  readonly who: "server" | "client" | "both";
  readonly text: string;
}

/** All rules, in the order of the specification. */
export const rules = JSON.parse(
  readFileSync(new URL("rules.json", import.meta.url), "utf8"),
) as readonly Rule[];
