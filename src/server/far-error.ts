import { violation } from "../codec/reader.js";
import { readerAt, stepsOf } from "../convert/context.js";
import type { Bridge, MethodBridge } from "../convert/types.js";
import { A2AError, type Violation } from "../errors.js";

/**
 * A failure of a near call as the far caller knows it: its reason in the far version, and refused fields under the names
 * that `given`, the input of the caller, has for them.
 */
export function farError(error: unknown, bridge: Bridge, method: MethodBridge, given: unknown): unknown {
  if (!(error instanceof A2AError)) return error;
  const { violations } = error;
  if (violations === undefined) return bridge.errorDown(error);
  const named = violations.map((one) => renamed(one, method, given));
  const message = violations.reduce(
    (text, { field }, i) => (field === "" ? text : text.replace(field, named[i]?.field ?? field)),
    error.message,
  );
  const { code, status, data, metadata, headers, cause } = error;
  return bridge.errorDown(
    new A2AError(error.reason, message, { code, status, data, metadata, headers, cause, violations: named }),
  );
}

function renamed({ pointer, description }: Violation, method: MethodBridge, given: unknown): Violation {
  const steps = stepsOf(method.inputOrigin(given, pointer));
  return violation(readerAt(steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step))), description);
}
