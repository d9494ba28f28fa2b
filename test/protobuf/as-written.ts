import type { Decl, Field, Model, Type } from "../../codegen/ir/types.js";

/**
 * What is left of a canonical JSON value when it went through bytes, by the rules of ProtoJSON and the model of the
 * version alone: no defaults where the wire has no presence for them (unless they are required), no members that the message
 * does not have, fractions of a second in groups of three.
 */
export function asWritten(model: Model, name: string, value: unknown): unknown {
  const decls = new Map(model.decls.map((decl) => [decl.name, decl]));
  const declOf = (wanted: string): Decl => {
    const decl = decls.get(wanted);
    if (decl === undefined) throw new Error(`no declaration ${wanted}`);
    return decl;
  };
  const one = (type: Type, given: unknown): unknown => {
    switch (type.kind) {
      case "array":
        return (given as readonly unknown[]).map((item) => one(type.of, item));
      case "map":
        return mapped(given, (item) => one(type.of, item));
      case "ref":
        return named(declOf(type.name), given);
      case "scalar":
        return type.name === "timestamp" ? instant(String(given)) : given;
      default:
        throw new Error(`${type.kind} is not in a message`);
    }
  };
  const named = (decl: Decl, given: unknown): unknown => {
    if (decl.kind === "alias") return one(decl.type, given);
    if (decl.kind === "enum") return given;
    const members = given as Readonly<Record<string, unknown>>;
    return Object.fromEntries(
      decl.fields.flatMap((field) => {
        const member = members[field.name];
        if (member === undefined || (member === null && !isJson(field.type))) return [];
        return isLeftOut(field, member) ? [] : [[field.name, one(field.type, member)]];
      }),
    );
  };
  const isLeftOut = ({ presence, required, type }: Field, member: unknown): boolean =>
    presence === "implicit" && !required && isDefault(type, member);
  const isDefault = (type: Type, member: unknown): boolean => {
    if (type.kind === "array" || type.kind === "map") return Object.keys(member as object).length === 0;
    if (type.kind === "scalar") return member === (type.name === "int64" ? "0" : ZERO[typeof member]);
    if (type.kind !== "ref") return false;
    const decl = declOf(type.name);
    return decl.kind === "enum" && decl.values.some(({ value, number }) => number === 0 && value === member);
  };
  return named(declOf(name), value);
}

const ZERO: Readonly<Record<string, unknown>> = { string: "", boolean: false, number: 0 };

const isJson = (type: Type): boolean => type.kind === "scalar" && type.name === "json";

const mapped = (given: unknown, each: (item: unknown) => unknown): unknown =>
  Object.fromEntries(Object.entries(given as object).map(([key, item]) => [key, each(item)]));

function instant(text: string): string {
  const [, whole = "", fraction = ""] = /^([^.]*?)(?:\.(\d+))?Z$/.exec(text) ?? [];
  const digits = fraction.padEnd(9, "0").replace(/(?:000){1,3}$/, "");
  return `${whole}${digits === "" ? "" : `.${digits}`}Z`;
}
