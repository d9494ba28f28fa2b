/** How the tests prove one rule. */
export type Coverage =
  | { readonly by: "tests"; readonly tests: readonly string[]; readonly bindings: readonly Binding[] }
  | { readonly by: "reason"; readonly reason: string }
  | { readonly by: "grpc" | "document" | "todo" };

/** A binding that a test goes over. */
export type Binding = "JSONRPC" | "HTTP+JSON" | "GRPC";

/** Rule id → how it is proved. */
export type Manifest = Readonly<Record<string, Coverage>>;

/** Files with tests that name the rule in their title, and go over both bindings. */
export const both = (...tests: readonly string[]): Coverage => ({
  by: "tests",
  tests,
  bindings: ["JSONRPC", "HTTP+JSON"],
});

/** Files with tests that name a rule of one binding alone. */
export const only = (binding: Binding, ...tests: readonly string[]): Coverage => ({
  by: "tests",
  tests,
  bindings: [binding],
});

/** Files with tests that name a rule that no binding has a part in: a table, a document, a delivery. */
export const apart = (...tests: readonly string[]): Coverage => ({ by: "tests", tests, bindings: [] });

/** A rule of the gRPC binding alone. */
export const grpc: Coverage = { by: "grpc" };
/** A rule about documents or organisations: nothing that a program could do or leave undone. */
export const document: Coverage = { by: "document" };
/** A SHOULD or MAY that does not hold, and why. */
export const because = (reason: string): Coverage => ({ by: "reason", reason });
/** Not looked at yet. */
export const todo: Coverage = { by: "todo" };
