import { readRule } from "../codec/read.js";
import { violation } from "../codec/reader.js";
import { tolerant } from "../codec/tolerant.js";
import type { Loss } from "../convert/types.js";
import type { JsonObject } from "../descriptor.js";
import { planOfOlder } from "./older.js";
import type { Reading } from "./reshape.js";

/** An object of 0.x in the shape of the newest version, where the reader stands: read by its own table, then converted. */
export function readOlder(type: string, value: JsonObject, { reader, losses }: Reading): JsonObject {
  const { table, run } = planOfOlder(type);
  const read = readRule(table, value, { ...reader, mode: tolerant });
  const own: Loss[] = [];
  const converted = run(read, false, {}, own);
  const { pointer } = violation(reader, "");
  losses?.push(...own.map(({ path, code }) => ({ path: pointer + path, code })));
  // Converted from an object by the rules of an object type.
  return converted as JsonObject;
}
