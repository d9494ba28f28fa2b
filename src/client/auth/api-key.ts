import { A2AError } from "../../errors.js";
import { secretSource, type Secret } from "./secret.js";
import type { ClientAuth } from "./types.js";

/** Where a key goes. */
export interface ApiKeyOptions {
  /** A query ends up in logs of servers. Browsers refuse to send a cookie that a script names. */
  readonly in: "header" | "query" | "cookie";
  /** Name of the header, parameter or cookie. */
  readonly name: string;
  readonly key: Secret;
}

/** An API key in a header, the query or a cookie. Throws `CONFIG` for a name that cannot be sent. */
export function apiKey({ in: place, name, key }: ApiKeyOptions): ClientAuth {
  const bad = place === "query" ? name === "" : !/^[\w!#$%&'*+.^`|~-]+$/.test(name);
  // A key under the name of a header that says where the message ends, or for whom it is, would change the request.
  const reserved = place === "header" && RESERVED.has(name.toLowerCase());
  if (bad || reserved || !PLACES.has(place)) {
    throw new A2AError("CONFIG", `apiKey: ${JSON.stringify(name)} cannot be the name of a key in ${place}`);
  }
  const { get, ...source } = secretSource(`apiKey ${name}`, key);
  if (place === "query")
    return { headers: () => ({}), query: async (op) => ({ [name]: await get(op) }), ...source };
  return {
    async headers(op) {
      const value = await get(op);
      if (place === "header") return { [name.toLowerCase()]: value };
      if (!/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/.test(value))
        throw new A2AError("CONFIG", `apiKey ${name}: the key holds characters that cookies cannot carry`);
      return { cookie: `${name}=${value}` };
    },
    ...source,
  };
}

const PLACES: ReadonlySet<string> = new Set(["header", "query", "cookie"]);

const RESERVED: ReadonlySet<string> = new Set([
  "host",
  "connection",
  "content-length",
  "content-type",
  "transfer-encoding",
  "te",
  "trailer",
  "upgrade",
  "expect",
]);
