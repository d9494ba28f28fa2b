import { quote } from "../../codec/reader.js";
import { type Ctx, refuse } from "../context.js";
import type { Hook } from "../hook.js";

/** A JSON integer of any size, which 1.x writes as a number of 32 bits. */
export const int32: Hook = { up: fits };

/** The value, where it is a number of 32 bits. */
function fits(value: unknown, _: unknown, ctx: Ctx): unknown {
  if (typeof value === "number" && (value | 0) === value) return value;
  return refuse(ctx, `expected an integer of 32 bits, found ${quote(value)}`);
}
