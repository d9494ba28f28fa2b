import { toQuery } from "../codec/query.js";
import type { MethodDescriptor, RestRoute, ServiceDescriptor } from "../descriptor.js";
import { A2AError } from "../errors.js";

/** Where a call goes, and what is left for its body. */
export interface RestTarget {
  readonly url: URL;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The URL of a route below the interface URL (Q36: one trailing slash dropped, query kept): a tenant as leading
 * segment (Q18), path variables percent-encoded but for unreserved characters (A2A-HT-b), and the other fields in the
 * query or left for the body.
 */
export function restTarget(
  base: URL,
  service: ServiceDescriptor,
  method: MethodDescriptor,
  route: RestRoute,
  input: unknown,
): RestTarget {
  const rest = { ...(input as Record<string, unknown>) };
  const take = (name: string): string => {
    const value = rest[name];
    if (typeof value !== "string" || /^\.{0,2}$|\p{Cs}/u.test(value)) return refuse(method, name, value);
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- a copy made above
    delete rest[name];
    return encodeURIComponent(value).replace(
      /[!'()*]/g,
      (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  };
  const prefix = service.tenantPrefix && rest["tenant"] ? `/${take("tenant")}` : "";
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => take(name));
  const url = new URL(base);
  url.pathname = base.pathname.replace(/\/$/, "") + prefix + path;
  if (route.body === "*") return { url, body: rest };
  const query = toQuery(method.input, rest);
  if (query !== "") url.search += (url.search === "" ? "?" : "&") + query;
  return { url, body: undefined };
}

// URLs cannot carry the segments "", "." and ".." : every parser resolves them, encoded or not. Nor can UTF-8 carry
// half a surrogate pair.
function refuse(method: MethodDescriptor, field: string, value: unknown): never {
  const description = value === undefined ? "is needed for the path" : "cannot travel in a URL path";
  throw new A2AError("INVALID_PARAMS", `${field}: ${description} of ${method.name} over HTTP+JSON`, {
    code: -32602,
    violations: [{ field, pointer: `/${field}`, description }],
  });
}
