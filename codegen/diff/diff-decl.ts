import type { Decl, EnumValue, Field } from "../ir/types.js";
import type { Change } from "./changes.js";
import type { Renames } from "./renames.js";
import { typeText } from "./type-text.js";

/** Differences inside one type; `rename` gives the new name of a type of the older version. */
export function diffDecl(from: Decl, to: Decl, renames: Renames, rename: (name: string) => string): Change[] {
  if (from.kind === "enum" && to.kind === "enum") return diffEnum(from.values, to.values, to.name);
  if (from.kind === "object" && to.kind === "object") return diffFields(from, to, renames, rename);
  const [was, now] = [outline(from, rename), outline(to)];
  if (was === now) return [];
  const fields = to.kind === "object" ? to.fields.map((field) => addedField(field, to)) : [];
  return [{ change: "retyped", what: "type", name: to.name, was, now }, ...fields];
}

function outline(decl: Decl, rename?: (name: string) => string): string {
  if (decl.kind === "alias") return typeText(decl.type, rename);
  return decl.kind === "enum" ? "enum" : "object";
}

type ObjectDecl = Extract<Decl, { kind: "object" }>;

function diffFields(
  from: ObjectDecl,
  to: ObjectDecl,
  renames: Renames,
  rename: (name: string) => string,
): Change[] {
  const pairs = new Map(from.fields.map((field) => [field, newField(field, from, to, renames)]));
  const kept = new Set([...pairs.values()]);
  return [
    ...to.fields.filter((field) => !kept.has(field)).map((field) => addedField(field, to)),
    ...[...pairs].flatMap(([was, now]) =>
      now === undefined ? [removed(was, from)] : diffField(was, now, to.name, rename),
    ),
  ];
}

/** The field that a field became: declared, of the same name, of the same number, or read under the old name. */
function newField(field: Field, from: ObjectDecl, to: ObjectDecl, renames: Renames): Field | undefined {
  const path = `${from.name}.${field.name}`;
  const declared = Object.hasOwn(renames.fields, path) ? renames.fields[path] : undefined;
  if (declared !== undefined) return to.fields.find(({ name }) => name === declared);
  const isTaken = Object.entries(renames.fields).some(
    ([old, now]) => old.startsWith(`${from.name}.`) && now === field.name,
  );
  const same = isTaken ? undefined : to.fields.find(({ name }) => name === field.name);
  const open = to.fields.filter(({ name }) => !from.fields.some((other) => other.name === name));
  return (
    same ??
    open.find(({ number }) => number !== undefined && number === field.number) ??
    open.find(({ legacy }) => legacy.includes(field.name))
  );
}

function addedField(field: Field, owner: ObjectDecl): Change {
  return { change: "added", what: "field", name: `${owner.name}.${field.name}`, now: fieldText(field) };
}

function removed(field: Field, owner: ObjectDecl): Change {
  return { change: "removed", what: "field", name: `${owner.name}.${field.name}`, was: fieldText(field) };
}

function diffField(from: Field, to: Field, owner: string, rename: (name: string) => string): Change[] {
  const name = `${owner}.${to.name}`;
  const [was, now] = [typeText(from.type, rename), typeText(to.type)];
  return [
    ...(from.name === to.name
      ? []
      : [{ change: "renamed", what: "field", name, was: from.name, now: to.name } as const]),
    ...(was === now ? [] : [{ change: "retyped", what: "field", name, was, now } as const]),
    ...(from.required === to.required
      ? []
      : [{ change: to.required ? "made required" : "made optional", what: "field", name } as const]),
  ];
}

function fieldText(field: Field): string {
  return typeText(field.type) + (field.required ? ", required" : "");
}

/** Values are the same by spelling, by key of the const object, or where the newer one is read under the old spelling. */
function diffEnum(from: readonly EnumValue[], to: readonly EnumValue[], owner: string): Change[] {
  const find = (value: EnumValue): EnumValue | undefined =>
    to.find((other) => other.value === value.value) ??
    to.find((other) => other.key === value.key) ??
    to.find((other) => other.legacy.includes(value.value));
  const pairs = from.map((value) => [value, find(value)] as const);
  const kept = new Set(pairs.map(([, now]) => now));
  return [
    ...to
      .filter((value) => !kept.has(value))
      .map(({ value }): Change => ({ change: "added", what: "value", name: `${owner}.${value}` })),
    ...pairs.flatMap(([was, now]): Change[] => {
      if (now === undefined) return [{ change: "removed", what: "value", name: `${owner}.${was.value}` }];
      if (now.value === was.value) return [];
      return [
        { change: "renamed", what: "value", name: `${owner}.${now.value}`, was: was.value, now: now.value },
      ];
    }),
  ];
}
