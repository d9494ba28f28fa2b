import { ABSENT } from "../context.js";
import type { Hook } from "../hook.js";
import { oneFlow } from "./one-flow.js";

/** Several OAuth flows in the JSON of 0.x, one at most in the ProtoJSON of the same version. */
export const oneFlowDown: Hook = {
  down(value, inner, ctx) {
    const kept = oneFlow.up?.(value, inner, ctx);
    return kept === ABSENT ? {} : kept;
  },
};
