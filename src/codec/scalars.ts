import type { ScalarRule } from "../descriptor.js";
import { isJson, isObject } from "./json.js";
import { MAX_DEPTH, mismatch, quote, type Reader, refuse, report } from "./reader.js";

/** A scalar in its canonical form; canonical values are returned as they came. */
export function readScalar(kind: ScalarRule["is"], value: unknown, reader: Reader): unknown {
  switch (kind) {
    case "boolean":
      return typeof value === "boolean" ? value : mismatch(reader, "true or false", value);
    case "int32":
    case "int64":
      return readInteger(kind === "int32" ? 32 : 64, value, reader);
    case "integer":
      return Number.isInteger(value) ? value : mismatch(reader, "an integer", value);
    case "number":
      return Number.isFinite(value) ? value : mismatch(reader, "a number", value);
    case "bytes":
      return readBytes(value, reader);
    case "timestamp":
      return readTimestamp(value, reader);
    case "null":
      return value === null ? value : mismatch(reader, "null", value);
    case "struct":
      return isObject(value) ? readJson(value, reader) : mismatch(reader, "an object", value);
    case "json":
      return readJson(value, reader);
  }
}

/** A free value: checked for depth and for what JSON cannot carry, never copied. */
export function readJson(value: unknown, reader: Reader): unknown {
  if (isJson(value, MAX_DEPTH - reader.path.length)) return value;
  return refuse(reader, `expected JSON with finite numbers and at most ${String(MAX_DEPTH)} levels`);
}

/** Numbers and decimal strings → a number for 32 bits, a decimal string for 64 (`A2A-PJ-g`). */
function readInteger(bits: 32 | 64, value: unknown, reader: Reader): number | string {
  const text = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== "string" || !/^-?\d{1,20}$/.test(text)) mismatch(reader, "an integer", value);
  const number = BigInt(text);
  if (BigInt.asIntN(bits, number) !== number) refuse(reader, `expected an integer of ${String(bits)} bits`);
  return bits === 32 ? Number(number) : String(number);
}

/** Both base64 alphabets, with or without padding → the standard one, padded (`A2A-PJ-h`). */
function readBytes(value: unknown, reader: Reader): string {
  if (typeof value !== "string") mismatch(reader, "a base64 string", value);
  const text = value.replace(/={1,2}$/, "");
  const odd = value.length % 4;
  // Loops over one character class run in linear time and without a stack on inputs of any size.
  if (!/^(?:[A-Za-z\d+/]*|[\w-]*)$/.test(text) || text.length % 4 === 1 || (odd > 0 && text !== value)) {
    refuse(reader, "expected a base64 string, found other text");
  }
  if (odd === 0 && !/[-_]/.test(text)) return value;
  return text.replaceAll("-", "+").replaceAll("_", "/") + "=".repeat(-text.length & 3);
}

const INSTANT =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/;

/** RFC 3339 → UTC with `Z` (`A2A-PJ-i`); a value that ends in `Z` is kept digit for digit. */
function readTimestamp(value: unknown, reader: Reader): string {
  if (typeof value !== "string") mismatch(reader, "a timestamp", value);
  const zone = /(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/.exec(value)?.[0] ?? "";
  // Without its zone first, since the field values must be in range before an offset moves them.
  const local = `${value.slice(0, value.length - zone.length)}Z`;
  let utc = local;
  if (INSTANT.test(local) && isDay(local) && (zone !== "" || reader.tolerant)) {
    if (zone === "Z") return value;
    if (zone === "") report(reader, "zone_missing", "a timestamp without a zone is read as UTC");
    else utc = `${new Date(local.slice(0, 19) + zone).toISOString().slice(0, 19)}${local.slice(19)}`;
    if (INSTANT.test(utc)) return utc;
  }
  return refuse(reader, `expected an RFC 3339 timestamp, found ${quote(value)}`);
}

/** Whether the month has that day: the pattern allows 31 in each, and Date goes on to the next month. */
function isDay(instant: string): boolean {
  const day = instant.slice(0, 10);
  return day.slice(8) < "29" || new Date(day).toISOString().startsWith(day);
}
