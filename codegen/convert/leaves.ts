import type { Side } from "../../src/descriptor.js";
import type { Field, Type } from "../ir/types.js";
import { InputFault } from "../load/fault.js";
import type { TypeDeclaration } from "./declaration.js";
import { fieldsIn, type Form } from "./form.js";

/** A member that is converted as one: of the object itself, or of a nested one that was opened. */
export interface Leaf {
  readonly path: string;
  readonly field: Field;
  /** It and every object around it are required. */
  readonly required: boolean;
}

/** The members of one side. */
export interface Leaves {
  readonly byPath: ReadonlyMap<string, Leaf>;
  /** Nested objects that were opened and are required. */
  readonly always: readonly string[];
}

/** The paths that a declaration names on a side. */
export function pathsOf(declared: TypeDeclaration, side: Side): string[] {
  const members = Object.entries(declared.members).map(([newer, of]) =>
    side === "newer" ? newer : typeof of === "string" ? of : (of.older ?? newer),
  );
  const other = side === "older" ? "newer" : "older";
  return [
    ...members,
    ...(declared.drop[side] ?? []),
    ...Object.keys(declared.constants[side] ?? {}),
    ...Object.keys(declared.names[side] ?? {}),
    ...Object.values(declared.names[other] ?? {}).flatMap(variablesOf),
    ...declared.hooks.flatMap((hook) => hook[side] ?? []),
  ];
}

/** `tasks/{taskId}` → `taskId`. */
export const variablesOf = (pattern: string): string[] =>
  [...pattern.matchAll(/\{([^}]*)\}/g)].map(([, name = ""]) => name);

/** The members of both sides; a nested object of which a path names a member is opened, on both sides where it has one name. */
export function leavesOf(
  types: Readonly<Record<Side, Type>>,
  forms: Readonly<Record<Side, Form>>,
  declared: TypeDeclaration,
  where: string,
): Readonly<Record<Side, Leaves>> {
  const named = { older: pathsOf(declared, "older"), newer: pathsOf(declared, "newer") };
  const open = new Set([...named.older, ...named.newer].flatMap(prefixesOf));
  const of = (side: Side): Leaves => {
    const byPath = new Map<string, Leaf>();
    const always: string[] = [];
    const add = (type: Type, prefix: string, required: boolean): void => {
      for (const field of fieldsIn(forms[side], type) ?? []) {
        const path = `${prefix}${field.name}`;
        const nested = named[side].includes(path) ? undefined : fieldsIn(forms[side], field.type);
        const isRequired = required && field.required;
        if (!open.has(path) || nested === undefined) byPath.set(path, { path, field, required: isRequired });
        else {
          if (isRequired) always.push(path);
          add(field.type, `${path}.`, isRequired);
        }
      }
    };
    add(types[side], "", true);
    for (const path of named[side]) {
      if (!byPath.has(path)) throw new InputFault(`the ${side} type has no ${path}`, where);
    }
    return { byPath, always };
  };
  return { older: of("older"), newer: of("newer") };
}

const prefixesOf = (path: string): string[] => {
  const steps = path.split(".");
  return steps.slice(1).map((_, index) => steps.slice(0, index + 1).join("."));
};
