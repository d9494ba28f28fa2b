import type { Decl, Field, Method, Model, Route, Type } from "../ir/types.js";
import { byName } from "../load/stable-json.js";
import { headerText } from "./header.js";
import { fill } from "./templates.js";

type ObjectDecl = Extract<Decl, { kind: "object" }>;

/** `docs/reference/<line>.md`: operations, errors and types of a version for readers. */
export function emitReference(model: Model): string {
  const decls = [...model.decls].sort((a, b) => byName(a.name, b.name));
  return fill("reference", {
    header: headerText(model),
    version: model.version,
    release: model.release,
    methods: model.methods.map((method) => ({
      key: method.key,
      doc: prose(method.doc, method.deprecated),
      rows: methodRows(method, routesOf(method, model)),
    })),
    errors: model.errors.map((error) => ({ ...error, doc: cell(error.doc ?? error.message) })),
    enums: decls.flatMap((decl) =>
      decl.kind === "enum"
        ? [
            {
              name: decl.name,
              doc: prose(decl.doc, decl.deprecated),
              values: decl.values.map((value) => ({ ...value, doc: cell(value.doc) })),
            },
          ]
        : [],
    ),
    types: decls.flatMap((decl) => {
      if (decl.kind === "enum") return [];
      const head = { name: decl.name, doc: prose(decl.doc, decl.deprecated) };
      return decl.kind === "alias"
        ? [{ ...head, body: typeName(decl.type), fields: [] }]
        : [{ ...head, body: "", fields: decl.fields.map((field) => fieldRow(decl, field)) }];
    }),
  });
}

/** The routes of an operation: its own, or those of the form that HTTP+JSON speaks. */
const routesOf = ({ key, rest }: Method, { form }: Model): readonly Route[] =>
  form?.methods.find((method) => method.key === key)?.rest ?? rest;

const methodRows = (method: Method, routes: readonly Route[]): { label: string; text: string }[] =>
  [
    { label: "JSON-RPC", text: method.jsonrpc === undefined ? "" : code(method.jsonrpc) },
    { label: "HTTP+JSON", text: [...new Set(routes.map(routeText))].join(", ") },
    { label: "Input", text: `${typeName(method.input)}${method.emptyInput ? " (may be left out)" : ""}` },
    { label: method.kind === "unary" ? "Output" : "Stream of", text: typeName(method.output) },
    { label: "Capability", text: method.capability === undefined ? "" : code(method.capability) },
    { label: "Errors", text: method.errors.map(code).join(", ") },
  ].filter(({ text }) => text !== "");

const routeText = ({ verb, path }: Route): string => code(`${verb} ${path}`);

function fieldRow(decl: ObjectDecl, field: Field): Record<string, string> {
  const grouped = decl.oneofs.some(({ members }) => members.includes(field.name));
  const preset = field.default === undefined ? [] : [`Default: ${code(JSON.stringify(field.default))}.`];
  return {
    name: field.name,
    mark: field.required ? " \\*" : grouped ? " ○" : "",
    type: typeName(field.type),
    doc: cell([prose(field.doc, field.deprecated), ...preset].filter((text) => text !== "").join(" ")),
  };
}

/** A type for a table cell, with links to the declarations below. */
function typeName(type: Type): string {
  switch (type.kind) {
    case "scalar":
      return type.name;
    case "literal":
      return code(JSON.stringify(type.value));
    case "ref":
      return `[${type.name}](#${type.name.toLowerCase()})`;
    case "array":
      return `list of ${typeName(type.of)}`;
    case "map":
      return `map of ${typeName(type.of)}`;
    case "union":
      return type.of.map(typeName).join(" or ");
  }
}

const code = (text: string): string => `\`${text}\``;
const cell = (text = ""): string => text.replace(/\s+/g, " ").replaceAll("|", "\\|").trim();
const prose = (doc = "", deprecated?: string): string =>
  deprecated === undefined ? doc : `${doc} Deprecated. ${deprecated}`.trim();
