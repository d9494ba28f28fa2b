import type { Decl, Type } from "./types.js";

/** Calls back for a type and every type inside it. */
export function visitType(type: Type, see: (type: Type) => void): void {
  see(type);
  if (type.kind === "array" || type.kind === "map") visitType(type.of, see);
  if (type.kind !== "union") return;
  for (const member of type.of) visitType(member, see);
  const { discrimination } = type;
  if (discrimination.by === "order") return;
  for (const variant of discrimination.variants) visitType(variant.type, see);
  if (discrimination.otherwise !== undefined) visitType(discrimination.otherwise, see);
}

/** Calls back for every type of a declaration. */
export function visitDecl(decl: Decl, see: (type: Type) => void): void {
  if (decl.kind === "alias") visitType(decl.type, see);
  if (decl.kind === "object") for (const field of decl.fields) visitType(field.type, see);
}

/** Names that a type refers to. */
export function refsOf(type: Type): string[] {
  const names: string[] = [];
  visitType(type, (inner) => {
    if (inner.kind === "ref") names.push(inner.name);
  });
  return names;
}
