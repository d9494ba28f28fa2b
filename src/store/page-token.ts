import { fromBase64url, toBase64url } from "../base64url.js";
import { A2AError } from "../errors.js";

/**
 * Opaque page tokens for stores: they hold where to go on, and a check of what they were made for, so that a damaged
 * token, or one of another listing, is refused (A2A-3.1.4-h).
 */
export function encodePageToken(position: readonly string[], made: readonly string[]): string {
  return encode(JSON.stringify([...position, check(position, made)]));
}

/** The position in a token. Throws `INVALID_PARAMS` where the token is not of this listing. */
export function decodePageToken(token: string, made: readonly string[], length: number): string[] {
  try {
    const parts: unknown = JSON.parse(decode(token));
    if (Array.isArray(parts) && parts.every((part) => typeof part === "string")) {
      const position = parts.slice(0, -1);
      if (position.length === length && parts.at(-1) === check(position, made)) return position;
    }
  } catch {
    // Not base64 or not JSON: refused below like any other foreign token.
  }
  const description = "must be the nextPageToken of an earlier page with the same filters";
  throw new A2AError("INVALID_PARAMS", `pageToken: ${description}`, {
    code: -32602,
    violations: [{ field: "pageToken", pointer: "/pageToken", description }],
  });
}

/** FNV-1a over what the token is for; against mistakes, not against forgery: a token gives no access. */
function check(position: readonly string[], made: readonly string[]): string {
  let hash = 0x811c9dc5;
  for (const char of JSON.stringify([position, made])) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}

const encode = (text: string): string => toBase64url(new TextEncoder().encode(text));

const decode = (token: string): string =>
  new TextDecoder("utf-8", { fatal: true }).decode(fromBase64url(token));
