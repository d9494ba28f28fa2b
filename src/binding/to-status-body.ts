import type { Headers } from "../call.js";
import type { ServiceDescriptor } from "../descriptor.js";
import type { A2AError } from "../errors.js";
import { describeError } from "./describe-error.js";
import type { ErrorDetail } from "./error-details.js";
import { toErrorDetails } from "./to-error-details.js";

/** An HTTP+JSON error reply; `error.code` equals the HTTP status (A2A-11.6-a). */
export interface StatusBody {
  readonly http: number;
  readonly body: {
    readonly error: {
      readonly code: number;
      readonly status: string;
      readonly message: string;
      readonly details?: readonly ErrorDetail[];
    };
  };
  /** Extra headers: `Allow`, `Retry-After`, `WWW-Authenticate`. */
  readonly headers: Headers;
}

/** An error as HTTP status, `google.rpc.Status`-like body and headers. */
export function toStatusBody(service: ServiceDescriptor, error: A2AError): StatusBody {
  const { http, status, message, generic } = describeError(service, error);
  const details = toErrorDetails(error, generic);
  return {
    http,
    body: { error: { code: http, status, message, ...(details.length > 0 && { details }) } },
    headers: { ...error.headers },
  };
}
