import { report } from "../context.js";
import type { Hook } from "../hook.js";

/** The release that a 0.x card names: kept going up, that of the older version going down. */
export const cardRelease: Hook = {
  up(value, inner, ctx) {
    const out = inner(value, ctx) as Card;
    const { protocolVersion } = value as Card;
    // Cards before 0.2.5 do not say it.
    out.protocolVersion = protocolVersion ?? ctx.releases.older ?? "0.2";
    if (protocolVersion === undefined) report(ctx, "synthesized", "protocolVersion");
    return out;
  },
  down(value, inner, ctx) {
    const out = inner(value, ctx) as Card;
    const { protocolVersion = "" } = value as Card;
    const isOld = /^0\.2(\.|$)/.test(protocolVersion);
    out.protocolVersion = isOld ? protocolVersion : (ctx.releases.older ?? "0.2.6");
    if (!isOld) report(ctx, "normalized", "protocolVersion");
    return out;
  },
};

interface Card {
  protocolVersion?: string;
}
