import type { CallContext } from "../call.js";
import { A2AError } from "../errors.js";
import type { Scope } from "../store/types.js";

/** Names the owner of tasks that a principal creates. */
export type OwnerOf = (principal: unknown) => string;

/** Scope of anonymous callers without tenant. */
export const anonymous: Scope = { tenant: "", owner: "" };

/** The scope of a call: its tenant, and the owner that the principal stands for. */
export function scopeOf(context: CallContext, owner?: OwnerOf): Scope {
  const { tenant = "", principal, taskOwner } = context;
  if (isScope(context["scope"])) return context["scope"];
  if ((principal === undefined || principal === null) && taskOwner === undefined) {
    return tenant === "" ? anonymous : { tenant, owner: "" };
  }
  return { tenant, owner: owner ? owner(principal) : (taskOwner ?? ownerOf(principal)) };
}

/**
 * The principal itself where it is a text, else its `sub`, `id` or `name`: of the claims of a token only the subject is
 * nobody else's.
 */
export function ownerOf(principal: unknown): string {
  // An empty one would be the owner of what anonymous callers do.
  if (typeof principal === "string" && principal !== "") return principal;
  if (typeof principal === "object" && principal !== null) {
    const { id, sub, name } = principal as Record<string, unknown>;
    const owner = sub ?? id ?? name;
    if (typeof owner === "string" && owner !== "") return owner;
  }
  throw new A2AError("INTERNAL_ERROR", "Internal error", {
    cause: new TypeError("The principal has no sub, id or name: give the server an ownerOf option"),
  });
}

// What an authenticator names itself wins over what its principal would stand for.
const isScope = (value: unknown): value is Scope =>
  typeof value === "object" && value !== null && "owner" in value && "tenant" in value;
