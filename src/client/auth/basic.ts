import { A2AError } from "../../errors.js";
import { secretSource, type Secret } from "./secret.js";
import type { ClientAuth } from "./types.js";

/** `Authorization: Basic …` (RFC 7617, UTF-8). Throws `CONFIG` for a name with a colon. */
export function basic(username: string, password: Secret): ClientAuth {
  if (username.includes(":")) throw new A2AError("CONFIG", "basic: a user name must not contain a colon");
  const { get, ...source } = secretSource("basic", password);
  return {
    async headers(op) {
      const bytes = new TextEncoder().encode(`${username}:${await get(op)}`);
      return { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
    },
    ...source,
  };
}
