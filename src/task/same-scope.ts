import type { Scope } from "../store/types.js";

/** Whether two scopes are one. */
export const sameScope = (a: Scope, b: Scope): boolean =>
  a === b || (a.tenant === b.tenant && a.owner === b.owner);
