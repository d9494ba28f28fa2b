import type { Decl } from "../ir/types.js";
import { refsOf } from "../ir/visit.js";

/** An alias that is nothing but another name is followed, so that only real tables are referred to. */
export function resolveAlias(name: string, decls: ReadonlyMap<string, Decl>): string {
  const decl = decls.get(name);
  if (decl === undefined) throw new Error(`No declaration is named ${name}.`);
  return decl.kind === "alias" && decl.type.kind === "ref" ? resolveAlias(decl.type.name, decls) : name;
}

/** Declarations with their dependencies before them; within a cycle, the first by name comes last. */
export function dependencyOrder(decls: ReadonlyMap<string, Decl>): Decl[] {
  const seen = new Set<string>();
  const out: Decl[] = [];
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    const decl = decls.get(name);
    if (decl === undefined) throw new Error(`No declaration is named ${name}.`);
    for (const used of refsIn(decl)) visit(resolveAlias(used, decls));
    out.push(decl);
  };
  // An alias of one name needs its target whole, so these come after everything else.
  const bare = (decl: Decl): boolean => decl.kind === "alias" && decl.type.kind === "ref";
  for (const decl of decls.values()) if (!bare(decl)) visit(decl.name);
  for (const decl of decls.values()) if (bare(decl)) visit(decl.name);
  return out;
}

const refsIn = (decl: Decl): string[] => {
  if (decl.kind === "enum") return [];
  return decl.kind === "alias" ? refsOf(decl.type) : decl.fields.flatMap((field) => refsOf(field.type));
};
