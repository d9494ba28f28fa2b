import { A2AError } from "../errors.js";

/** A URL as it may appear in messages: without query, fragment and credentials. */
export function publicUrl(url: URL): string {
  return url.origin + url.pathname;
}

/** An `http:` or `https:` URL, else `CONFIG`; credentials in it are refused, for they end up in logs. */
export function parseUrl(url: string): URL {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw new A2AError("CONFIG", "The URL of the agent is not absolute; give it as https://host/path");
  }
  if (!/^https?:$/.test(parsed.protocol) || parsed.username !== "" || parsed.password !== "") {
    throw new A2AError(
      "CONFIG",
      `The URL of the agent must be http or https, without credentials: ${parsed.protocol}//${parsed.host}; send them as headers`,
    );
  }
  return parsed;
}
