import { ABSENT, report } from "../context.js";
import type { Hook } from "../hook.js";

/** Which of several flows is kept: the safest for a user first. */
const ORDER = ["authorizationCode", "clientCredentials", "implicit", "password"];

/** Several OAuth flows of a 0.x scheme, and the one of 1.x (decision 5). */
export const oneFlow: Hook = {
  up(value, inner, ctx) {
    const flows = inner(value, ctx) as Record<string, unknown>;
    const [kept, ...others] = ORDER.filter((name) => Object.hasOwn(flows, name));
    // No flow, no way to get a token: the scheme goes, what requires it stays.
    if (kept === undefined) return ABSENT;
    for (const name of others) report(ctx, "truncated", name);
    return { [kept]: flows[kept] };
  },
};
