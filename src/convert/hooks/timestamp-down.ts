import type { Hook } from "../hook.js";
import { timestamp } from "./timestamp.js";

/** Free text in the JSON of 0.x, RFC 3339 in UTC in the ProtoJSON of the same version. */
export const timestampDown: Hook = { ...(timestamp.up && { down: timestamp.up }) };
