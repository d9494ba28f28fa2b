import { toQuery } from "../codec/query.js";
import { fromSegment } from "../codec/name-segment.js";
import type { MethodDescriptor, RestRoute, ServiceDescriptor } from "../descriptor.js";
import { A2AError } from "../errors.js";

/** Where a call goes, and what is left for its body. */
export interface RestTarget {
  readonly url: URL;
  /** An object, or the value of the field that is the body. */
  readonly body: unknown;
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
  const take = (name: string, pattern = "*"): string => {
    const value = rest[name];
    if (typeof value !== "string") return refuse(method, name, value);
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- a copy made above
    delete rest[name];
    const parts = pattern === "*" ? [value] : value.split("/");
    if (!isOf(pattern, parts)) return refuse(method, name, value);
    // In a resource name the slash of an id is encoded already.
    return parts.map((part) => escape(pattern === "*" ? part : fromSegment(part))).join("/");
  };
  const prefix = service.tenantPrefix && rest["tenant"] ? `/${take("tenant")}` : "";
  const path = route.path.replace(/\{(\w+)(?:=([^}]*))?\}/g, (_, name: string, pattern?: string) =>
    take(name, pattern),
  );
  const url = new URL(base);
  url.pathname = base.pathname.replace(/\/$/, "") + prefix + path;
  if (route.body === "*") return { url, body: route.whole ? input : rest };
  const body = route.body === undefined ? undefined : rest[route.body];
  if (route.body !== undefined) {
    if (body === undefined) return refuse(method, route.body, body, "body");
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- a copy made above
    delete rest[route.body];
  }
  const query = toQuery(method.input, rest);
  if (query !== "") url.search += (url.search === "" ? "?" : "&") + query;
  return { url, body };
}

/** Whether the segments fit a pattern (`tasks/*`), and each can travel in a path. */
const isOf = (pattern: string, parts: readonly string[]): boolean => {
  const wanted = pattern.split("/");
  return (
    wanted.length === parts.length &&
    // URLs cannot carry the segments "", "." and ".." : every parser resolves them, encoded or not. Nor can UTF-8 carry
    // half a surrogate pair.
    parts.every((part, i) => (wanted[i] === "*" ? !/^\.{0,2}$|\p{Cs}/u.test(part) : part === wanted[i]))
  );
};

const escape = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

function refuse(method: MethodDescriptor, field: string, value: unknown, where = "path"): never {
  const description = value === undefined ? `is needed for the ${where}` : "cannot travel in a URL path";
  throw new A2AError("INVALID_PARAMS", `${field}: ${description} of ${method.name} over HTTP+JSON`, {
    code: -32602,
    violations: [{ field, pointer: `/${field}`, description }],
  });
}
