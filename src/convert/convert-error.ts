import { A2AError } from "../errors.js";
import { isObject } from "../codec/json.js";
import type { ServiceDescriptor } from "../descriptor.js";

/**
 * An error of one version as another names it: the reason with the same code there. A reason that the other version lacks
 * is kept, with the code and the HTTP status that it has in its own. Message, details and cause stay.
 */
export function convertError(error: A2AError, from: ServiceDescriptor, to: ServiceDescriptor): A2AError {
  const own = Object.hasOwn(from.errors, error.reason) ? from.errors[error.reason] : undefined;
  // A code that `from` has no name for reads as an internal error; `to` may know it.
  if (own === undefined && error.reason !== "INTERNAL_ERROR") return error;
  const code = own?.code ?? error.code;
  const partner = Object.keys(to.errors).find((name) => to.errors[name]?.code === code);
  if (own === undefined && partner === undefined) return error;
  const reason = partner ?? error.reason;
  const { data, metadata } = detailsFor(to, error);
  const status = error.status ?? (own && partner === undefined ? (own.http ?? 400) : undefined);
  const isSame = reason === error.reason && code === error.code && status === error.status;
  if (isSame && data === error.data && metadata === error.metadata) return error;
  const { violations, headers } = error;
  return new A2AError(reason, error.message, {
    code,
    status,
    data,
    metadata,
    violations,
    headers,
    cause: error.cause ?? error,
  });
}

/** `data` in free form (0.x) that is nothing but names and scalars is the metadata of 1.x. */
function detailsFor(
  to: ServiceDescriptor,
  { data, metadata }: A2AError,
): Pick<A2AError, "data" | "metadata"> {
  if (to.errorData !== "details" || metadata !== undefined || !isFlat(data)) return { data, metadata };
  const strings = Object.entries(data).map(([name, value]) => [name, String(value)]);
  return { data: undefined, metadata: Object.fromEntries(strings) as Record<string, string> };
}

const isFlat = (data: unknown): data is Record<string, string | number | boolean> =>
  isObject(data) &&
  !Object.hasOwn(data, "@type") &&
  Object.values(data).every((value) => typeof value !== "object");
