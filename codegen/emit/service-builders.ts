import type { Builder } from "./builders.js";

/** A method that has one name in all bindings. */
export const METHOD: Builder = {
  name: "method",
  doc: "A method with one name in all bindings.",
  code: (type) => `<
    const Name extends string, const Kind extends ${type("MethodDescriptor")}["kind"], const Rest extends readonly ${type("RestRoute")}[], Input, Output,
    const Facts extends Pick<${type("MethodDescriptor")}, "emptyInput" | "idempotent" | "capability" | "errors">,
  >(name: Name, kind: Kind, rest: Rest, input: Input, output: Output, facts: Facts) =>
    ({ name, kind, jsonrpc: name, rest, grpc: name, input, output, ...facts }) as const`,
};
