import type { ServiceDescriptor } from "../descriptor.js";

const current = "a2a-extensions";

/**
 * Extension URIs that a request asks for, without duplicates, case kept; undefined where it names none. The name of 1.0
 * is read first, then the one of the version (0.3: `X-A2A-Extensions`).
 */
export function requestedExtensions(
  service: ServiceDescriptor,
  headers: Readonly<Record<string, string | undefined>>,
): readonly string[] | undefined {
  const raw = headers[current] ?? headers[service.headers.extensions] ?? headers["x-a2a-extensions"];
  if (raw === undefined) return undefined;
  const uris = [...new Set(raw.split(",").map((uri) => uri.trim()))].filter((uri) => uri !== "");
  return uris.length > 0 ? uris : undefined;
}
