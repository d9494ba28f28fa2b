import type { ScalarRule } from "../descriptor.js";
import { isObject, jsonFlaw } from "./json.js";
import { MAX_DEPTH, mismatch, quote, type Reader, refuse, report } from "./refusal.js";

const INT32 = 2 ** 31;

/** A scalar in its canonical form; canonical values are returned as they came. */
export function readScalar(kind: ScalarRule["is"], value: unknown, reader: Reader): unknown {
  switch (kind) {
    case "boolean":
      return typeof value === "boolean" ? value : mismatch(reader, "true or false", value);
    case "int32":
      return readInt32(value, reader);
    case "int64":
      return readInt64(value, reader);
    case "integer":
      return Number.isSafeInteger(value) ? value : mismatch(reader, "an integer", value);
    case "number":
      return Number.isFinite(value) ? value : mismatch(reader, "a number", value);
    case "bytes":
      return readBytes(value, reader);
    case "timestamp":
      return readTimestamp(value, reader);
    case "null":
      return value === null ? value : mismatch(reader, "null", value);
    case "struct":
      if (!isObject(value)) mismatch(reader, "an object", value);
      return readJson(value, reader);
    case "json":
      return readJson(value, reader);
  }
}

/** A free value: checked for depth and for what JSON cannot carry, never copied. */
export function readJson(value: unknown, reader: Reader): unknown {
  const flaw = jsonFlaw(value, MAX_DEPTH - reader.path.length);
  return flaw === undefined
    ? value
    : refuse(reader, `expected JSON of at most ${String(MAX_DEPTH)} levels, found ${flaw}`);
}

/** Number or decimal string → number (`A2A-PJ-g`). */
function readInt32(value: unknown, reader: Reader): number {
  const number = typeof value === "string" && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isInteger(number)) mismatch(reader, "an integer", value);
  if (number < -INT32 || number >= INT32)
    refuse(reader, "expected an integer of 32 bits, found one out of range");
  return number;
}

/** Number or decimal string → decimal string (`A2A-PJ-g`). */
function readInt64(value: unknown, reader: Reader): string {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  if (typeof value !== "string" || !/^-?\d{1,20}$/.test(value))
    mismatch(reader, "an integer as a decimal string", value);
  const number = BigInt(value);
  if (BigInt.asIntN(64, number) !== number)
    refuse(reader, "expected an integer of 64 bits, found one out of range");
  return String(number);
}

/** Both base64 alphabets, with or without padding → the standard one, padded (`A2A-PJ-h`). */
function readBytes(value: unknown, reader: Reader): string {
  if (typeof value !== "string") mismatch(reader, "a base64 string", value);
  const text = value.replace(/={1,2}$/, "");
  // Only these three loops of one character class: they run in linear time and without a stack on inputs of any size.
  if (
    text.length % 4 === 1 ||
    (text.length < value.length && value.length % 4 !== 0) ||
    !(/^[A-Za-z\d+/]*$/.test(text) || /^[\w-]*$/.test(text))
  ) {
    refuse(reader, "expected base64, found other text");
  }
  if (value.length % 4 === 0 && !/[-_]/.test(text)) return value;
  const standard = text.replaceAll("-", "+").replaceAll("_", "/");
  return standard.padEnd(Math.ceil(standard.length / 4) * 4, "=");
}

const DATE_TIME =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;

/** RFC 3339 → UTC with `Z` (`A2A-PJ-i`); a value that ends in `Z` is kept digit for digit. */
function readTimestamp(value: unknown, reader: Reader): string {
  if (typeof value !== "string") mismatch(reader, "a timestamp", value);
  const zoned = value.endsWith("Z") || /[+-]\d\d:\d\d$/.test(value);
  if (!DATE_TIME.test(value) || !isDay(value) || !(zoned || reader.tolerant)) {
    refuse(reader, `expected an RFC 3339 timestamp such as "2025-01-31T12:00:00Z", found ${quote(value)}`);
  }
  if (value.endsWith("Z")) return value;
  if (!zoned) {
    report(reader, "zone_missing", "a timestamp without a zone is read as UTC");
    return `${value}Z`;
  }
  const fraction = value.slice(19, -6);
  const shifted = new Date(`${value.slice(0, 19)}${value.slice(-6)}`);
  const year = shifted.getUTCFullYear();
  if (year < 1 || year > 9999) refuse(reader, "expected a timestamp in the years 0001 to 9999 UTC");
  return `${shifted.toISOString().slice(0, 19)}${fraction}Z`;
}

/** Whether the month has that day; the pattern allows 31 in each. */
function isDay(value: string): boolean {
  const day = Number(value.slice(8, 10));
  // Leap years repeat every 400 years, and Date reads years below 100 as 19xx.
  return (
    day < 29 ||
    day <= new Date(Date.UTC(Number(value.slice(0, 4)) + 400, Number(value.slice(5, 7)), 0)).getUTCDate()
  );
}
