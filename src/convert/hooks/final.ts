import { report } from "../context.js";
import type { Hook } from "../hook.js";

/** States after which a 0.x stream has nothing more to say (decision 2). */
const LAST: ReadonlySet<unknown> = new Set([
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_REJECTED",
  "TASK_STATE_INPUT_REQUIRED",
]);

/** `final` of 0.x, which 1.x says by closing the stream: dropped going up, worked out from the state going down. */
export const final: Hook = {
  up(value, inner, ctx) {
    const out = inner(value, ctx) as Event;
    const { final: given } = value as { final?: boolean };
    if (given !== LAST.has(out.status.state)) report(ctx, "dropped", "final");
    return out;
  },
  down(value, inner, ctx) {
    const out = inner(value, ctx) as { final?: boolean };
    out.final = ctx.options.endOfStream === true || LAST.has((value as Event).status.state);
    return out;
  },
};

interface Event {
  readonly status: { readonly state?: unknown };
}
