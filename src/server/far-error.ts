import { moveViolations } from "../convert/move-violations.js";
import type { Bridge, MethodBridge } from "../convert/types.js";
import { A2AError } from "../errors.js";

/**
 * A failure of a near call as the far caller knows it: its reason in the far version, and refused fields under the names
 * that `given`, the input of the caller, has for them.
 */
export function farError(error: unknown, bridge: Bridge, method: MethodBridge, given: unknown): unknown {
  if (!(error instanceof A2AError)) return error;
  return bridge.errorDown(moveViolations(error, (pointer) => method.inputOrigin(given, pointer)));
}
