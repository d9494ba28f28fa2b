import type { ErrorDescriptor } from "../descriptor.js";

/** Errors that belong to the bindings and not to A2A, by reason; they carry no ErrorInfo (A2A-9.5-b, A2A-11.6). */
export const genericErrors: Readonly<Record<string, ErrorDescriptor>> = {
  PARSE_ERROR: { code: -32700, message: "Invalid JSON payload", http: 400, status: "INVALID_ARGUMENT" },
  INVALID_REQUEST: {
    code: -32600,
    message: "Request payload validation error",
    http: 400,
    status: "INVALID_ARGUMENT",
  },
  METHOD_NOT_FOUND: { code: -32601, message: "Method not found", http: 404, status: "NOT_FOUND" },
  INVALID_PARAMS: { code: -32602, message: "Invalid parameters", http: 400, status: "INVALID_ARGUMENT" },
  INTERNAL_ERROR: { code: -32603, message: "Internal error", http: 500, status: "INTERNAL" },
  UNAVAILABLE: { code: -32603, message: "Temporarily unavailable", http: 503, status: "UNAVAILABLE" },
  UNAUTHENTICATED: { code: -32000, message: "Authentication required", http: 401, status: "UNAUTHENTICATED" },
  PERMISSION_DENIED: { code: -32000, message: "Permission denied", http: 403, status: "PERMISSION_DENIED" },
  RESOURCE_EXHAUSTED: { code: -32000, message: "Too many requests", http: 429, status: "RESOURCE_EXHAUSTED" },
  PAYLOAD_TOO_LARGE: {
    code: -32600,
    message: "Request body too large",
    http: 413,
    status: "RESOURCE_EXHAUSTED",
  },
};
