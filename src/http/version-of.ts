import { VERSION_HEADER } from "../binding/version.js";

/** The version that a request asks for: the header if it says something, else the query parameter (decision 4). */
export function versionOf(
  headers: Readonly<Record<string, string | undefined>>,
  query: string,
): string | undefined {
  const value = headers[VERSION_HEADER];
  if (query === "" || (value !== undefined && value.trim() !== "")) return value;
  for (const [name, given] of new URLSearchParams(query)) {
    if (name.toLowerCase() === VERSION_HEADER) return given;
  }
  return value;
}
