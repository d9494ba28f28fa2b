import type { Headers } from "../call.js";
import { statusReasons } from "../client/http-error.js";
import type { ServiceDescriptor } from "../descriptor.js";
import { A2AError, type ErrorReason } from "../errors.js";
import { fromErrorDetails } from "./from-error-details.js";

/** The HTTP reply that carried an error. */
export interface ErrorCarrier {
  readonly status: number;
  readonly headers?: Headers;
}

/**
 * The `A2AError` in a JSON-RPC `error` member. The reason comes from an A2A ErrorInfo, else from the code; -32000 is
 * told apart by the HTTP status. A member that is no error object gives `INVALID_AGENT_RESPONSE`.
 */
export function fromRpcError(service: ServiceDescriptor, json: unknown, carrier?: ErrorCarrier): A2AError {
  const { code, message, data } = (json ?? {}) as Partial<Record<"code" | "message" | "data", unknown>>;
  const http = { status: carrier?.status, headers: carrier?.headers };
  if (typeof code !== "number") {
    return new A2AError("INVALID_AGENT_RESPONSE", "The agent sent a JSON-RPC error without a numeric code", {
      code: -32006,
      data: json,
      ...http,
    });
  }
  const { reason, ...details } = fromErrorDetails(data);
  return new A2AError(
    reason ?? reasonOf(service, code) ?? generic(code, http.status),
    typeof message === "string" && message ? message : `JSON-RPC error ${String(code)}`,
    { code, data, ...http, ...details },
  );
}

const reasonOf = (service: ServiceDescriptor, code: number): string | undefined =>
  Object.keys(service.errors).find((reason) => service.errors[reason]?.code === code);

const generic = (code: number, status = 0): ErrorReason =>
  statusReasons[status] ?? (status === 503 ? "UNAVAILABLE" : (genericReasons[code] ?? "INTERNAL_ERROR"));

const genericReasons: Readonly<Record<number, ErrorReason>> = {
  [-32700]: "PARSE_ERROR",
  [-32600]: "INVALID_REQUEST",
  [-32601]: "METHOD_NOT_FOUND",
  [-32602]: "INVALID_PARAMS",
};
