import type { Scope } from "../store/types.js";

/** Names something of a scope among all others: no two lists of texts have the same key. */
export const scopeKey = ({ tenant, owner }: Scope, ...names: readonly string[]): string =>
  JSON.stringify([tenant, owner, ...names]);
