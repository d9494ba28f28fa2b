import { FORM_FOLDER } from "../ir/form.js";
import type { Method, Model } from "../ir/types.js";
import { createBuilders, type Builders } from "./builders.js";
import { key, literal, object, quote } from "./code.js";
import { block, docOf } from "./docs.js";
import { createFile } from "./file.js";
import { header } from "./header.js";
import { METHOD } from "./service-builders.js";
import { methodTable } from "./tables.js";
import type { Target } from "./target.js";

/** `service.ts`: the version as one object: operations, routes, tables and errors. */
export function emitService(model: Model, target: Target): string {
  const file = createFile();
  file.declare("A2A");
  const type = file.use(target.seam, "ServiceDescriptor");
  const errors = file.use(target.errors, "errors", "value");
  const tables = file.useAll("./tables.js", "t", "value");
  const builders = createBuilders(file, target.seam);
  const { service } = model;
  const methods = model.methods.map((method) => {
    const doc = block(
      docOf({
        ...(method.doc === undefined ? {} : { doc: method.doc }),
        ...(method.deprecated === undefined ? {} : { deprecated: method.deprecated }),
      }),
    );
    return `${doc}${key(method.key)}: ${methodText(method, tables, builders)},`;
  });
  builders.declare();
  file.constant({
    name: "A2A",
    doc: `A2A ${model.version}: operations, routes and errors as data.`,
    value: `${object([
      ["name", quote(service.name)],
      ["version", quote(model.version)],
      ["release", quote(model.release)],
      ["errors", errors],
      ["errorData", quote(service.errorData)],
      ["restMediaType", quote(service.restMediaType)],
      ["tenantPrefix", service.tenantPrefix ? "true" : undefined],
      ["headers", literal(service.headers)],
      [
        "card",
        object([
          ["path", quote(service.card.path)],
          ["table", `${tables}.${service.card.type}`],
        ]),
      ],
      ["methods", `{\n${methods.join("\n")}\n}`],
      ["form", model.formHop && `() => import("./${FORM_FOLDER}/index.js")`],
    ])} as const satisfies ${type}`,
  });
  return file.text(header(model, target));
}

function methodText(method: Method, tables: string, builders: Builders): string {
  const { name, kind, jsonrpc, grpc, rest } = method;
  const input = `${tables}.${methodTable(method, "input")}`;
  const output = `${tables}.${methodTable(method, "output")}`;
  const facts: [string, string | undefined][] = [
    ["emptyInput", method.emptyInput ? "true" : undefined],
    ["idempotent", String(method.idempotent)],
    ["capability", method.capability === undefined ? undefined : quote(method.capability)],
    ["errors", literal(method.errors)],
  ];
  if (jsonrpc === name && grpc === name && rest.length > 0) {
    return builders.call(METHOD, quote(name), quote(kind), literal(rest), input, output, object(facts));
  }
  return object([
    ["name", quote(name)],
    ["kind", quote(kind)],
    ["jsonrpc", jsonrpc === undefined ? undefined : quote(jsonrpc)],
    ["rest", rest.length === 0 ? undefined : literal(rest)],
    ["grpc", grpc === undefined ? undefined : quote(grpc)],
    ["input", input],
    ["output", output],
    ...facts,
  ]);
}
