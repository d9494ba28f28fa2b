import type { ErrorDescriptor, ServiceDescriptor } from "../descriptor.js";

/** What release 1.0.1 changed in the error table of 1.0; clients of 1.0.0 expect these. */
const statuses: Readonly<Record<string, Partial<ErrorDescriptor>>> = {
  TASK_NOT_CANCELABLE: { http: 409 },
  CONTENT_TYPE_NOT_SUPPORTED: { http: 415 },
  INVALID_AGENT_RESPONSE: { http: 502 },
  PUSH_NOTIFICATION_NOT_SUPPORTED: { status: "UNIMPLEMENTED" },
  UNSUPPORTED_OPERATION: { status: "UNIMPLEMENTED" },
  VERSION_NOT_SUPPORTED: { status: "UNIMPLEMENTED" },
};

/** The service with the error table of release 1.0.0, whose errors over HTTP+JSON are `application/json`. */
export function withErrors100(service: ServiceDescriptor): ServiceDescriptor {
  const errors = Object.fromEntries(
    Object.entries(service.errors).map(([reason, error]) => [reason, { ...error, ...statuses[reason] }]),
  );
  return { ...service, errors, restMediaType: "application/json" };
}
