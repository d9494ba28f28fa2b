import { InputFault } from "../load/fault.js";
import type { OverlayError } from "../load/overlay.js";
import { reasonOf } from "./names.js";
import type { Scope } from "./scope.js";
import type { ErrorDef } from "./types.js";

interface SchemaError {
  readonly code: number;
  readonly message: string | undefined;
}

/**
 * The A2A errors of the version: those that the schema defines by a constant `code`, and what the overlay says.
 * The generic errors of JSON-RPC (-32700, -32600 to -32603) belong to the binding and are left out.
 */
export function errorsOf(scope: Scope): ErrorDef[] {
  const fromSchema = schemaErrors(scope);
  const overlay = scope.loaded.overlay?.errors ?? {};
  const isPlain = !scope.isProtoJson;
  const reasons = new Set([...fromSchema.keys(), ...Object.keys(overlay)]);
  const errors = [...reasons].flatMap((reason): ErrorDef[] => {
    const known = fromSchema.get(reason);
    const fact = overlay[reason];
    if (isPlain && known === undefined) {
      if (scope.loaded.lenient) return [];
      throw new InputFault("is not an error of the schema", `overlay.json#/errors/${reason}`);
    }
    const code = known?.code ?? fact?.code;
    if (code === undefined) throw new InputFault("has no code", `overlay.json#/errors/${reason}`);
    return [{ reason, code, message: fact?.message ?? known?.message ?? reason, ...statusOf(fact) }];
  });
  return errors.sort((a, b) => b.code - a.code);
}

function statusOf(fact: OverlayError | undefined): { http: number; status: string } {
  return { http: fact?.http ?? 400, status: fact?.status ?? "FAILED_PRECONDITION" };
}

function schemaErrors(scope: Scope): Map<string, SchemaError> {
  const found = new Map<string, SchemaError>();
  for (const [name, schema] of Object.entries(scope.loaded.schema.definitions)) {
    const code = schema.properties?.["code"]?.const;
    const message = schema.properties?.["message"];
    if (typeof code !== "number" || code < -32099 || code > -32000) continue;
    const text = message?.const ?? message?.default;
    found.set(reasonOf(name), { code, message: typeof text === "string" ? text : undefined });
  }
  return found;
}
