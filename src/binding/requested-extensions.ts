import type { ServiceDescriptor } from "../descriptor.js";

/** The header of 1.x, then that of 0.x: whoever speaks to agents of both sends both. */
const NAMES = ["a2a-extensions", "x-a2a-extensions"];

/**
 * Extension URIs that a request asks for, without duplicates, case kept; undefined where it names none. The headers of
 * both generations count, and one of the version itself if it has another name (version mapping 3.3).
 */
export function requestedExtensions(
  service: ServiceDescriptor,
  headers: Readonly<Record<string, string | undefined>>,
): readonly string[] | undefined {
  let raw: string | undefined;
  for (const name of NAMES) raw = join(raw, headers[name]);
  const own = service.headers.extensions;
  if (!NAMES.includes(own)) raw = join(raw, headers[own]);
  if (raw === undefined) return undefined;
  const uris = [...new Set(raw.split(",").map((uri) => uri.trim()))].filter((uri) => uri !== "");
  return uris.length > 0 ? uris : undefined;
}

const join = (a: string | undefined, b: string | undefined): string | undefined =>
  a === undefined || b === undefined ? (a ?? b) : `${a},${b}`;
