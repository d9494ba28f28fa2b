import { A2AError } from "../errors.js";
import type { Violation } from "../errors.js";
import type { ExtensionSchema, SchemaResult } from "./extension-types.js";

/**
 * Data of strangers as a schema gives it (A2A-EXT-h); `field` names its place for the caller. Throws `INVALID_PARAMS` with
 * what the schema says of it; of a function that throws anything but an `A2AError`, nothing is told.
 */
export async function checkedData(schema: ExtensionSchema, data: unknown, field: string): Promise<unknown> {
  if (typeof schema === "function") {
    try {
      return await schema(data);
    } catch (error) {
      if (error instanceof A2AError) throw error;
      throw refusal([violation(field, [], "is not what the extension takes")], error);
    }
  }
  const result: SchemaResult = await schema["~standard"].validate(data);
  if (result.issues === undefined) return result.value;
  throw refusal(
    result.issues.map(({ message, path = [] }) =>
      violation(
        field,
        path.map((step) => String(typeof step === "object" ? step.key : step)),
        message,
      ),
    ),
  );
}

const violation = (field: string, path: readonly string[], description: string): Violation => ({
  field: [field, ...path].filter((step) => step !== "").join("."),
  pointer: "",
  description,
});

const refusal = (violations: readonly Violation[], cause?: unknown): A2AError =>
  new A2AError(
    "INVALID_PARAMS",
    violations.map(({ field, description }) => `${field}: ${description}`).join("; "),
    { code: -32602, violations, cause },
  );
