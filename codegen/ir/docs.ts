import type { Docs } from "../load/docs.js";
import type { Decl, ErrorDef, Field, Method, Model } from "./types.js";

/** Puts our descriptions on declarations. */
export function documentDecl(decl: Decl, docs: Docs): Decl {
  const texts = docs.types[decl.name];
  if (texts === undefined) return decl;
  const doc = texts.doc === undefined ? {} : { doc: texts.doc };
  if (decl.kind === "object") {
    return {
      ...decl,
      ...doc,
      fields: decl.fields.map((field): Field => ({ ...field, ...text(texts.fields, field.name) })),
    };
  }
  if (decl.kind === "enum") {
    return {
      ...decl,
      ...doc,
      values: decl.values.map((value) => ({ ...value, ...text(texts.values, value.value) })),
    };
  }
  return { ...decl, ...doc };
}

/** Puts our description on a method. */
export function documentMethod(method: Method, docs: Docs): Method {
  return { ...method, ...text(docs.methods, method.name) };
}

/** Puts our description on an error. */
export function documentError(error: ErrorDef, docs: Docs): ErrorDef {
  return { ...error, ...text(docs.errors, error.reason) };
}

/** What has no description: `Task`, `Task.id`, `TaskState.working`, `method SendMessage`, `error TASK_NOT_FOUND`. */
export function undocumented(model: Model): string[] {
  const missing = (name: string, node: { readonly doc?: string }): string[] =>
    node.doc === undefined ? [name] : [];
  return [
    ...model.decls.flatMap((decl) => [
      ...missing(decl.name, decl),
      ...(decl.kind === "object"
        ? decl.fields.flatMap((field) => missing(`${decl.name}.${field.name}`, field))
        : []),
      ...(decl.kind === "enum"
        ? decl.values.flatMap((value) => missing(`${decl.name}.${value.value}`, value))
        : []),
    ]),
    ...model.methods.flatMap((method) => missing(`method ${method.name}`, method)),
    ...model.errors.flatMap((error) => missing(`error ${error.reason}`, error)),
  ];
}

/** Descriptions of things that the model does not have. */
export function orphanDocs(model: Model, docs: Docs): string[] {
  const decls = new Map(model.decls.map((decl) => [decl.name, decl]));
  return Object.entries(docs.types).flatMap(([name, texts]) => {
    const decl = decls.get(name);
    if (decl === undefined) return [name];
    const members =
      decl.kind === "object"
        ? decl.fields.map((f) => f.name)
        : decl.kind === "enum"
          ? decl.values.map((v) => v.value)
          : [];
    return [...Object.keys(texts.fields ?? {}), ...Object.keys(texts.values ?? {})]
      .filter((member) => !members.includes(member))
      .map((member) => `${name}.${member}`);
  });
}

function text(texts: Readonly<Record<string, string>> | undefined, name: string): { doc?: string } {
  const doc = texts !== undefined && Object.hasOwn(texts, name) ? texts[name] : undefined;
  return doc === undefined ? {} : { doc };
}
