import type { Decl, Model } from "../ir/types.js";
import type { Renames } from "./renames.js";
import { typeText } from "./type-text.js";

/** Below this share of common fields two types are not taken for the same. */
const similar = 0.5;

/**
 * Which type of the older version became which of the newer one, by older name. In this order:
 * 1. declared renames (the target then no longer counts as "the same name");
 * 2. the same name, unless it was given to something else;
 * 3. the same name in another case;
 * 4. objects that are each other's only best match by common fields (name and type), at least half of them and two.
 */
export function matchTypes(from: Model, to: Model, renames: Renames): ReadonlyMap<string, string> {
  const matched = new Map<string, string>();
  const old = new Map(from.decls.map((decl) => [decl.name, decl]));
  const free = new Map(to.decls.map((decl) => [decl.name, decl]));
  const take = (a: string, b: string | undefined): void => {
    if (b === undefined || !old.has(a) || !free.has(b)) return;
    matched.set(a, b);
    old.delete(a);
    free.delete(b);
  };
  for (const [a, b] of Object.entries(renames.types)) take(a, b);
  for (const a of [...old.keys()]) take(a, a);
  for (const a of [...old.keys()]) {
    take(
      a,
      [...free.keys()].find((b) => b.toLowerCase() === a.toLowerCase()),
    );
  }
  for (const [a, b] of mutualBest([...old.values()], [...free.values()])) take(a, b);
  return matched;
}

function mutualBest(old: readonly Decl[], free: readonly Decl[]): (readonly [string, string])[] {
  const onlyBest = (decl: Decl, others: readonly Decl[]): Decl | undefined => {
    const ranked = others
      .map((other) => ({ other, score: likeness(decl, other) }))
      .filter(({ score }) => score >= similar)
      .sort((a, b) => b.score - a.score);
    const [first, second] = ranked;
    return first !== undefined && first.score > (second?.score ?? 0) ? first.other : undefined;
  };
  return old.flatMap((decl) => {
    const best = onlyBest(decl, free);
    return best !== undefined && onlyBest(best, old) === decl ? [[decl.name, best.name] as const] : [];
  });
}

/** Common fields by all fields, 0 where there are fewer than two in common. */
function likeness(a: Decl, b: Decl): number {
  if (a.kind !== "object" || b.kind !== "object") return 0;
  const marks = (decl: typeof a): Set<string> =>
    new Set(decl.fields.map((field) => `${field.name}: ${typeText(field.type)}`));
  const [left, right] = [marks(a), marks(b)];
  const common = [...left].filter((mark) => right.has(mark)).length;
  return common < 2 ? 0 : common / (left.size + right.size - common);
}
