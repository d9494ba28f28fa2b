import type { Headers } from "../call.js";
import type { ServiceDescriptor } from "../descriptor.js";
import { A2AError, type ErrorReason } from "../errors.js";
import { fromErrorDetails } from "./from-error-details.js";

/**
 * The `A2AError` in an HTTP+JSON error reply, or in an error frame of its stream. The reason comes from an A2A
 * ErrorInfo, else from the HTTP status (A2A-11.6-e); `json` may be anything, also undefined where the body was no JSON.
 * `detail` and `title` of an outdated problem+json body are shown (A2A-11.6-g).
 */
export function fromStatusBody(
  service: ServiceDescriptor,
  httpStatus: number,
  json: unknown,
  headers?: Headers,
): A2AError {
  const root = record(json);
  const error = record(root["error"]);
  const details = error["details"];
  const { reason: info, metadata, violations } = fromErrorDetails(details);
  const status = httpStatus >= 400 ? httpStatus : (number(error["code"]) ?? httpStatus);
  const reason = info ?? byStatus(status, error["status"], violations !== undefined);
  const message =
    text(error["message"]) ?? text(root["detail"]) ?? text(root["title"]) ?? text(root["message"]);
  const code = Object.hasOwn(service.errors, reason) ? service.errors[reason]?.code : undefined;
  return new A2AError(reason, message ?? `The agent answered HTTP ${String(status)}`, {
    status,
    ...(code !== undefined && { code }),
    ...(headers && { headers }),
    ...(details !== undefined && { data: details }),
    ...(metadata && { metadata }),
    ...(violations && { violations }),
  });
}

const byStatus = (http: number, name: unknown, violations: boolean): ErrorReason => {
  if (http === 400) return violations ? "INVALID_PARAMS" : "INVALID_REQUEST";
  if (http === 401) return "UNAUTHENTICATED";
  if (http === 403) return "PERMISSION_DENIED";
  if (http === 404 || http === 405) return "METHOD_NOT_FOUND";
  if (http === 413) return "PAYLOAD_TOO_LARGE";
  if (http === 429) return "RESOURCE_EXHAUSTED";
  if (http === 503) return "UNAVAILABLE";
  return http === 500 && name !== undefined ? "INTERNAL_ERROR" : "HTTP";
};

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
