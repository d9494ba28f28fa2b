import type { Transport, TransportRequest } from "./transport.js";

/** Puts the tenant of an interface into every request, over whatever the caller wrote (A2A-8.3.2-d). */
export function withTenant(inner: Transport, tenant: string): Transport {
  const own = (request: TransportRequest): TransportRequest => ({
    ...request,
    input: { ...(request.input as object), tenant },
  });
  return {
    ...inner,
    unary: (request) => inner.unary(own(request)),
    stream: (request) => inner.stream(own(request)),
  };
}
