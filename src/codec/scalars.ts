import type { ScalarRule } from "../descriptor.js";
import { isJson } from "./json.js";
import { MAX_DEPTH, mismatch, objectOf, quote, type Reader, refuse } from "./reader.js";

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
      return readJson(objectOf(value, reader), reader);
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
function readInteger(bits: 32 | 64, value: unknown, reader: Reader): unknown {
  if (bits === 32 && typeof value === "number" && (value | 0) === value) return value;
  const text = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== "string" || !/^-?\d{1,20}$/.test(text)) mismatch(reader, "an integer", value);
  const number = BigInt(text);
  if (BigInt.asIntN(bits, number) !== number) refuse(reader, `expected an integer of ${String(bits)} bits`);
  return bits === 32 ? Number(number) : String(number);
}

/** Both base64 alphabets, with or without padding → the standard one, padded (`A2A-PJ-h`). */
function readBytes(value: unknown, reader: Reader): string {
  if (typeof value !== "string") mismatch(reader, "a base64 string", value);
  const text = value.replace(/={1,2}$/, "");
  const rest = value.length % 4;
  // Loops over one character class run in linear time and without a stack on inputs of any size.
  if (!/^(?:[A-Za-z\d+/]*|[\w-]*)$/.test(text) || text.length % 4 === 1 || (rest > 0 && text !== value)) {
    refuse(reader, "expected a base64 string, found other text");
  }
  if (rest === 0 && !/[-_]/.test(text)) return value;
  // By code: a megabyte of "-" would keep `replaceAll` busy for a second.
  const codes = new TextEncoder().encode(text).map((code) => (code === 45 ? 43 : code === 95 ? 47 : code));
  return new TextDecoder().decode(codes) + "=".repeat(-text.length & 3);
}

/** What needs no look at the calendar: UTC, and a day that every month has. */
const PLAIN_INSTANT =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,9})?Z$/;

/** RFC 3339 → UTC with `Z` (`A2A-PJ-i`); a value that ends in `Z` is kept digit for digit. */
function readTimestamp(value: unknown, reader: Reader): string {
  if (typeof value !== "string") mismatch(reader, "a timestamp", value);
  if (PLAIN_INSTANT.test(value)) return value;
  const [, local = "-", fraction = "", zone] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.exec(value) ?? [];
  const inUtc = (offset: string) => new Date(local + offset).toJSON() as string | null;
  // Date goes on to the next month or day where a field is too large: then the text is another.
  if (zone !== undefined && inUtc("Z")?.startsWith(local)) {
    const utc = inUtc(zone) ?? "";
    // Outside of the years 0001 to 9999 it starts with a sign or 0000.
    if (utc > "0001") {
      if (zone === "Z") return value;
      return `${utc.slice(0, 19)}${fraction}Z`;
    }
  }
  return refuse(reader, `expected an RFC 3339 timestamp, found ${quote(value)}`);
}
