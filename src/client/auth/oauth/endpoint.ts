import { A2AError } from "../../../errors.js";

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * The URL of an endpoint that gets secrets: `https:`, or `http:` on a loopback address; without credentials and fragment.
 * Throws `CONFIG` for any other.
 */
export function endpoint(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const safe = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
  if (url === undefined || !safe || url.username !== "" || url.password !== "" || url.hash !== "") {
    throw new A2AError(
      "CONFIG",
      `${name} must be an https URL (http on a loopback address alone), without credentials and fragment`,
    );
  }
  return url;
}
