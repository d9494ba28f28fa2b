import { ABSENT, report } from "../context.js";
import type { Hook } from "../hook.js";

/** Several authentication schemes of 0.x, in order of preference, and the one of 1.x. */
export const firstScheme: Hook = {
  up(value, _, ctx) {
    const schemes = value as readonly string[];
    const kept = schemes.findIndex((scheme) => scheme !== "");
    // Without a scheme there is nothing to authenticate with: the whole object goes.
    if (kept < 0) return ABSENT;
    for (const index of schemes.keys()) if (index !== kept) report(ctx, "truncated", index);
    return schemes[kept];
  },
  down: (value) => (value === "" ? [] : [value]),
};
