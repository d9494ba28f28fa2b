import type { Binding, Coverage, Manifest } from "./coverage.js";
import type { Rule } from "./rules.js";
import { titlesOf } from "./titles.js";

/** Everything that is wrong with the manifests: unknown ids, missing rows, rows given twice, tests that do not exist. */
export function problemsOf(
  rules: readonly Rule[],
  manifests: readonly Manifest[],
  titles: (path: string) => readonly string[] | undefined = titlesOf,
): string[] {
  const known = new Map(rules.map((rule) => [rule.id, rule]));
  const files = new Map<string, readonly string[] | undefined>();
  const titlesIn = (path: string): readonly string[] | undefined => {
    if (!files.has(path)) files.set(path, titles(path));
    return files.get(path);
  };
  const seen = new Set<string>();
  const problems: string[] = [];
  for (const [id, coverage] of manifests.flatMap((manifest) => Object.entries(manifest))) {
    const rule = known.get(id);
    if (rule === undefined) problems.push(`${id}: there is no such rule`);
    if (seen.has(id)) problems.push(`${id}: stands in two manifests`);
    seen.add(id);
    if (rule !== undefined) problems.push(...rowProblems(rule, coverage).map((text) => `${id}: ${text}`));
    if (coverage.by !== "tests") continue;
    if (coverage.tests.length === 0) problems.push(`${id}: names no test`);
    for (const path of coverage.tests) {
      const found = titlesIn(path);
      if (found === undefined) problems.push(`${id}: there is no file ${path}`);
      else if (!found.some((title) => names(title, id)))
        problems.push(`${id}: no title in ${path} names the rule`);
    }
  }
  for (const { id } of rules) if (!seen.has(id)) problems.push(`${id}: has no row`);
  return problems;
}

function rowProblems({ level }: Rule, coverage: Coverage): string[] {
  if (coverage.by === "reason" && level === "MUST") return ["is a MUST: a reason is not enough"];
  return [];
}

/** The whole id: `A2A-3.1-a` is not in `A2A-3.1-ab`. */
const names = (title: string, id: string): boolean =>
  new RegExp(`${id.replaceAll(".", "\\.")}(?![\\w.])`).test(title);

/** Who has to keep rules. */
export type Side = "server" | "client";

/** A rule that a side has to keep, on a binding of HTTP. */
export const isRuleOf = (side: Side, rule: Rule, coverage: Coverage): boolean =>
  (rule.who === side || rule.who === "both") && coverage.by !== "grpc" && coverage.by !== "document";

/** Proved, as far as the binding has a part in it. */
export const isCovered = (coverage: Coverage, binding: Binding): boolean =>
  coverage.by === "tests" && (coverage.bindings.length === 0 || coverage.bindings.includes(binding));

/** A rule of the other binding alone. */
export const isElsewhere = (coverage: Coverage, binding: Binding): boolean =>
  coverage.by === "tests" && coverage.bindings.length === 1 && !coverage.bindings.includes(binding);
