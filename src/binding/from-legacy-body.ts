import { isObject } from "../codec/json.js";
import type { MethodDescriptor, ServiceDescriptor } from "../descriptor.js";
import { A2AError, type ErrorReason } from "../errors.js";
import { fromRpcError } from "./from-rpc-error.js";

/** What is known of a failed call besides its body. */
export interface FailedCall {
  readonly service: ServiceDescriptor;
  readonly method: MethodDescriptor;
  readonly status: number;
}

/**
 * The `A2AError` in an error body of HTTP+JSON of 0.x, for which there is no rule (version mapping 3.4): the JSON-RPC error
 * `{ code, message, data? }`, the 1.0 body `{ error: { … } }` (under whatever media type), or `{ message }` alone with the
 * reason in the HTTP status. `read` is what 1.x makes of it.
 */
export function fromLegacyBody(
  json: object,
  { service, method, status }: FailedCall,
  read: A2AError,
): A2AError {
  const { error = json } = json as { readonly error?: unknown };
  const inner = isObject(error) ? error : {};
  const { headers } = read;
  if (typeof inner["code"] === "number" && inner["code"] < 0)
    return fromRpcError(service, inner, { status, ...(headers && { headers }) });
  if (Object.hasOwn(service.errors, read.reason) || !Object.hasOwn(inner, "message")) return read;
  const reason = byMessage(service, inner["message"]) ?? byStatus(method, read.status ?? status);
  if (reason === undefined) return read;
  const code = service.errors[reason]?.code ?? (reason === "INVALID_PARAMS" ? -32602 : undefined);
  return new A2AError(reason, read.message, { code, status: read.status, headers, data: read.data });
}

/** Peers mostly send the default texts of the schema. */
const byMessage = (service: ServiceDescriptor, message: unknown): ErrorReason | undefined =>
  typeof message === "string"
    ? Object.keys(service.errors).find(
        (reason) =>
          (service.errors[reason]?.message ?? inWords(reason)).toLowerCase() === message.toLowerCase(),
      )
    : undefined;

/** What an HTTP status means where an application gave it, as a2a-python 0.3 does; routes that are missing say otherwise. */
const byStatus = ({ errors, capability }: MethodDescriptor, status: number): ErrorReason | undefined => {
  switch (status) {
    case 404:
      return (
        errors.find((reason) => reason === "TASK_NOT_FOUND") ?? errors.find((reason) => /CARD/.test(reason))
      );
    case 409:
      return "TASK_NOT_CANCELABLE";
    case 415:
      return "CONTENT_TYPE_NOT_SUPPORTED";
    case 422:
      return "INVALID_PARAMS";
    case 501:
      return capability === "pushNotifications" ? "PUSH_NOTIFICATION_NOT_SUPPORTED" : "UNSUPPORTED_OPERATION";
    case 500:
      return "INTERNAL_ERROR";
    case 502:
      return "INVALID_AGENT_RESPONSE";
    default:
      return undefined;
  }
};

/** `TASK_NOT_FOUND` → `task not found`. */
const inWords = (reason: string): string => reason.toLowerCase().replaceAll("_", " ");
