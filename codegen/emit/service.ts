import type { Method, Model } from "../ir/types.js";
import { key, literal, object, quote } from "./code.js";
import { block, docOf } from "./docs.js";
import { createFile } from "./file.js";
import { header } from "./header.js";
import { methodTable } from "./tables.js";
import type { Target } from "./target.js";

/** `service.ts`: the version as one object: operations, routes, tables and errors. */
export function emitService(model: Model, target: Target): string {
  const file = createFile();
  file.declare("A2A");
  const type = file.use(target.seam, "ServiceDescriptor");
  const errors = file.use("./errors.js", "errors", "value");
  const tables = file.useAll("./tables.js", "t", "value");
  const { service } = model;
  const methods = model.methods.map((method) => {
    const doc = block(
      docOf({
        ...(method.doc === undefined ? {} : { doc: method.doc }),
        ...(method.deprecated === undefined ? {} : { deprecated: method.deprecated }),
      }),
    );
    return `${doc}${key(method.key)}: ${methodText(method, tables)},`;
  });
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
    ])} as const satisfies ${type}`,
  });
  return file.text(header(model, target));
}

const methodText = (method: Method, tables: string): string =>
  object([
    ["name", quote(method.name)],
    ["kind", quote(method.kind)],
    ["jsonrpc", method.jsonrpc === undefined ? undefined : quote(method.jsonrpc)],
    ["rest", method.rest.length === 0 ? undefined : literal(method.rest)],
    ["grpc", method.grpc === undefined ? undefined : quote(method.grpc)],
    ["input", `${tables}.${methodTable(method, "input")}`],
    ["output", `${tables}.${methodTable(method, "output")}`],
    ["emptyInput", method.emptyInput ? "true" : undefined],
    ["idempotent", String(method.idempotent)],
    ["capability", method.capability === undefined ? undefined : quote(method.capability)],
    ["errors", literal(method.errors)],
  ]);
