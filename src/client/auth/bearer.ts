import { secretSource, type Secret } from "./secret.js";
import type { ClientAuth } from "./types.js";

/**
 * `Authorization: Bearer …`. A function is asked for every request, and once more after a 401: another token is tried, the
 * same one is not.
 */
export function bearer(token: Secret): ClientAuth {
  const { get, ...source } = secretSource("bearer", token);
  return { headers: async (op) => ({ authorization: `Bearer ${await get(op)}` }), ...source };
}
