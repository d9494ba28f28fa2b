import type { Model } from "../ir/types.js";
import { visitDecl } from "../ir/visit.js";
import { byName } from "../load/stable-json.js";

/** Names of the declarations that the wire roots are made of, themselves included. */
export function reachable(model: Model): string[] {
  const decls = new Map(model.decls.map((decl) => [decl.name, decl]));
  const seen = new Set<string>();
  const visit = (name: string): void => {
    const decl = decls.get(name);
    if (decl === undefined || seen.has(name)) return;
    seen.add(name);
    visitDecl(decl, (type) => {
      if (type.kind === "ref") visit(type.name);
    });
  };
  for (const root of model.roots) visit(root);
  return [...seen].sort(byName);
}
