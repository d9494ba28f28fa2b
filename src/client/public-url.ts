import { A2AError } from "../errors.js";

/** A URL as it may appear in messages: without query, fragment and credentials. */
export const publicUrl = (url: URL): string => url.origin + url.pathname;

/** An absolute `http:` or `https:` URL, else `CONFIG`; one with credentials is refused, for it ends up in logs. */
export function parseUrl(url: string): URL {
  try {
    const parsed = new URL(url);
    if (/^https?:$/.test(parsed.protocol) && !parsed.username && !parsed.password) return parsed;
  } catch {
    // Said below.
  }
  throw new A2AError(
    "CONFIG",
    "url must be absolute, http or https, and without credentials; send those as headers",
  );
}
