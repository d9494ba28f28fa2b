import type { MethodDescriptor } from "../descriptor.js";
import { toText } from "../json-text.js";

/** JSON text of what a handler gave; nothing is `{}`, or `null` where the version says so (decision 9, A2A-3.1.10-e). */
export function encodeOutput(method: MethodDescriptor, output: unknown): string {
  if (output === undefined) return method.output.is === "null" ? "null" : "{}";
  return toText(output);
}
