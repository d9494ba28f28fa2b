import { quote } from "../../codec/reader.js";
import { type Ctx, refuse } from "../context.js";
import type { Hook } from "../hook.js";

/** How many of something: 32 bits, and not negative in either version. */
export const count: Hook = { up: counted, down: counted };

function counted(value: unknown, _: unknown, ctx: Ctx): unknown {
  if (typeof value === "number" && (value | 0) === value && value >= 0) return value;
  return refuse(ctx, `expected an integer from 0 to 2147483647, found ${quote(value)}`);
}
