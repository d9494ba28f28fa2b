import type { ServiceDescriptor } from "../descriptor.js";
import type { A2AError } from "../errors.js";
import { takesOnlyEvents } from "./media-type.js";

/**
 * Whether a caller of a stream over JSON-RPC learns a refusal from an event, by its `Accept`: clients that take nothing
 * but events would not see a JSON reply, or not as what it is. That something cannot be streamed is JSON in 1.0 anyway:
 * to such a client an empty stream says the same, and others, the official test kit among them, count any event as success.
 */
export const isToldAsEvent = (
  { errorData }: ServiceDescriptor,
  { reason }: A2AError,
  accept: string | undefined,
): boolean => takesOnlyEvents(accept) && (errorData === "any" || reason !== "UNSUPPORTED_OPERATION");
