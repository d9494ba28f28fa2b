import type { Decl, Discrimination, Field, Model, Oneof, Type } from "../ir/types.js";
import { InputFault } from "../load/fault.js";

/** What a type comes down to, aliases followed. */
export type Shape =
  | { readonly kind: "object"; readonly fields: readonly Field[]; readonly oneofs: readonly Oneof[] }
  | { readonly kind: "enum"; readonly values: readonly string[] }
  | Exclude<Type, { kind: "ref" }>;

/** One form of the protocol, as conversions look at it. */
export interface Form {
  readonly model: Model;
  /** The type that an expression names: `Task`, `AgentCard.security[]`, `Part(raw,url)`, `CancelTask:output`. */
  typeOf(expression: string, where: string): Type;
  shapeOf(type: Type): Shape;
  /** A text that two types share where they are the same. */
  keyOf(type: Type): string;
}

const METHOD = /^(\w+):(input|output)$/;
const EXPRESSION = /^(\w+(?:\([\w,]+\))?)((?:\.\w+|\[\]|\{\})*)$/;

/** A view of a model. */
export function createForm(model: Model): Form {
  const decls = new Map(model.decls.map((decl) => [decl.name, decl]));

  /** A declaration, or one with only some members of its oneofs. */
  const find = (name: string): Decl | undefined => {
    const [, base = name, only] = /^(\w+)\(([\w,]+)\)$/.exec(name) ?? [];
    const decl = decls.get(base);
    if (only === undefined || decl?.kind !== "object") return decl;
    const kept = only.split(",");
    const grouped = new Set(decl.oneofs.flatMap(({ members }) => members));
    return {
      ...decl,
      fields: decl.fields
        .filter((field) => !grouped.has(field.name) || kept.includes(field.name))
        // The one member by which the variant is told is there.
        .map((field) => (kept.length === 1 && kept[0] === field.name ? { ...field, required: true } : field)),
      oneofs: [],
    };
  };

  const shapeOf = (type: Type): Shape => {
    if (type.kind !== "ref") return type;
    const decl = find(type.name);
    if (decl === undefined) throw new Error(`No declaration is named ${type.name}.`);
    if (decl.kind === "alias") return shapeOf(decl.type);
    if (decl.kind === "enum") return { kind: "enum", values: decl.values.map(({ value }) => value) };
    return { kind: "object", fields: decl.fields, oneofs: decl.oneofs };
  };

  const typeOf = (expression: string, where: string): Type => {
    const [, operation, side = ""] = METHOD.exec(expression) ?? [];
    if (operation !== undefined) {
      const method = model.methods.find((candidate) => candidate.name === operation);
      if (method === undefined)
        throw new InputFault(`A2A ${model.version} has no method ${operation}`, where);
      return side === "input" ? method.input : method.output;
    }
    const [, name, steps = ""] = EXPRESSION.exec(expression) ?? [];
    if (name === undefined) throw new InputFault(`${expression} is no type expression`, where);
    if (find(name) === undefined)
      throw new InputFault(`A2A ${model.version} has no type ${name}`, where, "name one of its types");
    let type: Type = { kind: "ref", name };
    for (const [step] of steps.matchAll(/\.\w+|\[\]|\{\}/g)) {
      const shape = shapeOf(type);
      const inner =
        step === "[]"
          ? shape.kind === "array" && shape.of
          : step === "{}"
            ? shape.kind === "map" && shape.of
            : shape.kind === "object" && shape.fields.find((field) => field.name === step.slice(1))?.type;
      if (inner === false || inner === undefined)
        throw new InputFault(`there is no ${step} in ${expression} of A2A ${model.version}`, where);
      type = inner;
    }
    return type;
  };

  const keyOf = (type: Type): string => {
    if (type.kind === "ref") {
      const decl = find(type.name);
      return decl?.kind === "alias" && decl.type.kind === "ref" ? keyOf(decl.type) : type.name;
    }
    if (type.kind === "array" || type.kind === "map") return `${type.kind}<${keyOf(type.of)}>`;
    if (type.kind === "union") return type.of.map(keyOf).join("|");
    return JSON.stringify(type);
  };

  return { model, typeOf, shapeOf, keyOf };
}

/** The fields of an object, or of a union of objects that is looked at as one object; undefined for anything else. */
export function fieldsIn(form: Form, type: Type): readonly Field[] | undefined {
  const shape = form.shapeOf(type);
  if (shape.kind === "object") return shape.fields;
  if (shape.kind !== "union") return undefined;
  const members = shape.of.map((of) => fieldsIn(form, of));
  if (members.length === 0 || members.some((fields) => fields === undefined)) return undefined;
  const all = members as (readonly Field[])[];
  const byName = new Map(all.flat().map((field) => [field.name, field]));
  return [...byName.values()].map((field) => ({
    ...field,
    required: all.every((fields) => fields.some((other) => other.name === field.name && other.required)),
  }));
}

/** The variants of a union that has a mark. */
export type Marked = Exclude<Discrimination, { by: "order" }>;
