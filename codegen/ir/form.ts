import type { Docs } from "../load/docs.js";
import { InputFault } from "../load/fault.js";
import type { LoadedLine } from "../load/loaded-line.js";
import type { Overlay, OverlayForm } from "../load/overlay.js";
import type { ProtoFacts, ProtoField, ProtoMessage } from "../load/proto-facts.js";
import { jsonNameOf } from "../load/proto-message.js";
import { schemaOfProto } from "../load/schema-of-proto.js";
import { sha256 } from "../load/source.js";
import { byName, stableJson } from "../load/stable-json.js";
import type { Model } from "./types.js";

/** Folder of the form below that of its line. */
export const FORM_FOLDER = "proto";

/**
 * The inputs of the ProtoJSON form of a 0.x line, which HTTP+JSON and gRPC speak: the proto facts as a schema, the form
 * section of the overlay, and what the form shares with the JSON of the line. Nothing where either part is missing.
 */
export function loadedForm(loaded: LoadedLine, model: Model): LoadedLine | undefined {
  const { proto, overlay, schema } = loaded;
  if (proto === undefined || overlay?.form === undefined || schema.encoding === "proto-json")
    return undefined;
  const { form } = overlay;
  const file = loaded.file.replace(/[^/]*$/, "proto.json");
  const facts = withFields(proto, form, file);
  return {
    line: `${loaded.line}/${FORM_FOLDER}`,
    file,
    sha256: sha256(stableJson(sorted(proto))),
    schema: schemaOfProto(facts, schema.release, file),
    proto: facts,
    overlay: overlayOf(overlay, form, model),
    docs: docsOf(loaded.docs, form),
    lenient: loaded.lenient,
  };
}

/** The proto with the fields of later ones that peers send. */
function withFields(proto: ProtoFacts, form: OverlayForm, file: string): ProtoFacts {
  const added = Object.entries(form.fields).map(([path, { number, type, label, oneof }]) => {
    const [owner, name = ""] = path.split(".");
    const fields = proto.messages.find((message) => message.name === owner)?.fields;
    const pointer = `overlay.json#/form/fields/${path}`;
    if (fields === undefined) throw new InputFault(`names no message of ${file}`, pointer);
    if (fields.some((field) => field.name === name)) throw new InputFault(`is in ${file} already`, pointer);
    const field: ProtoField = {
      ...{ name, json: jsonNameOf(name), number, type },
      ...(label === undefined ? {} : { label }),
      ...(oneof === undefined ? {} : { oneof }),
    };
    return { owner, field };
  });
  const fieldsOf = (message: ProtoMessage): readonly ProtoField[] => [
    ...message.fields,
    ...added.flatMap(({ owner, field }) => (owner === message.name ? [field] : [])),
  ];
  const messages = proto.messages.map((message) => ({ ...message, fields: fieldsOf(message) }));
  return { ...proto, messages };
}

/** The same value whatever order its keys were written in. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => byName(a, b));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}

/** An overlay as the builder wants it: errors and most facts of a method are those of the JSON operation. */
function overlayOf(overlay: Overlay, form: OverlayForm, model: Model): Overlay {
  const { methods, fields: _, spec, ...typeFacts } = form;
  const errors = model.errors.map(
    ({ reason, code, message, http, status }) => [reason, { code, message, http, status, spec }] as const,
  );
  return {
    ...overlay,
    ...typeFacts,
    form: undefined,
    push: {},
    service: { ...overlay.service, rest: true, jsonrpc: false, tenantPrefix: false, helpers: "none" },
    methods: Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [name, withFactsOf(method, model, name)]),
    ),
    errors: Object.fromEntries(errors),
  };
}

/** What is said of an operation of the form, and what it shares with the operation of the JSON. */
function withFactsOf(
  { as, ...own }: OverlayForm["methods"][string],
  model: Model,
  name: string,
): Overlay["methods"][string] {
  if (as === undefined) return own;
  const shared = model.methods.find((method) => method.name === as);
  if (shared === undefined)
    throw new InputFault(
      `names ${as}, which is no method of the schema`,
      `overlay.json#/form/methods/${name}`,
    );
  const { key, capability, idempotent, errors } = shared;
  return { key, capability, idempotent, ...own, errors: [...errors, ...own.errors] };
}

/** Types and methods that keep their name keep their description, unless the form section has one of its own. */
function docsOf(docs: Docs, form: OverlayForm): Docs {
  const own = docs.form ?? { types: {}, methods: {} };
  const named = Object.entries(form.methods).flatMap(([name, { as = name }]) => {
    const text = docs.methods[as];
    return text === undefined ? [] : [[name, text] as const];
  });
  const types = { ...docs.types };
  for (const [name, texts] of Object.entries(own.types)) {
    const shared = docs.types[name];
    types[name] = {
      ...shared,
      ...texts,
      fields: { ...shared?.fields, ...texts.fields },
      values: { ...shared?.values, ...texts.values },
    };
  }
  return { ...docs, types, methods: { ...Object.fromEntries(named), ...own.methods } };
}
