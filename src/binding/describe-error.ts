import type { ErrorDescriptor, ServiceDescriptor } from "../descriptor.js";
import type { A2AError } from "../errors.js";
import { genericErrors } from "./generic-errors.js";

/** How an error looks on the wire of one version. */
export interface DescribedError extends Required<ErrorDescriptor> {
  /** True for an error of the binding, which carries no ErrorInfo. */
  readonly generic: boolean;
}

/**
 * Code, HTTP status and status name of an error: from the table of the version, else the generic table, else from the
 * error itself (a reason of the agent's own: code -32603 and HTTP 500 unless it says otherwise).
 * `error.status` overrides the HTTP status where it is one of a failure.
 */
export function describeError(service: ServiceDescriptor, error: A2AError): DescribedError {
  const own = Object.hasOwn(service.errors, error.reason) ? service.errors[error.reason] : undefined;
  const generic = Object.hasOwn(genericErrors, error.reason) ? genericErrors[error.reason] : undefined;
  const status = error.status !== undefined && error.status >= 400 ? error.status : undefined;
  const known = own ?? generic;
  if (known) {
    return {
      code: known.code,
      message: error.message || (known.message ?? inWords(error.reason)),
      http: status ?? known.http ?? 400,
      status: known.status ?? "FAILED_PRECONDITION",
      generic: own === undefined,
    };
  }
  const http = status ?? 500;
  return {
    code: error.code ?? -32603,
    message: error.message || "Error",
    http,
    status: statusNames[http] ?? (http < 500 ? "FAILED_PRECONDITION" : "INTERNAL"),
    generic: false,
  };
}

const statusNames: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  409: "ABORTED",
  429: "RESOURCE_EXHAUSTED",
  501: "UNIMPLEMENTED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

/** `TASK_NOT_FOUND` → `Task not found`. */
const inWords = (reason: string): string =>
  reason.charAt(0) + reason.slice(1).toLowerCase().replaceAll("_", " ");
