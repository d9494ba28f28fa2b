import type { JsonValue, ScalarName } from "../ir/types.js";
import { TABLE, type Case, type Layer } from "./vector.js";

const wrong = (value: JsonValue, why: string, rule = "type"): Case => ({ rule, valid: false, value, why });
const right = (value: JsonValue, why: string, rule: string, layers?: readonly Layer[]): Case => ({
  rule,
  valid: true,
  value,
  why,
  ...(layers === undefined ? {} : { layers }),
});

/** What is and is not an instance of each scalar. */
export const SCALAR_CASES: Readonly<Record<ScalarName, readonly Case[]>> = {
  string: [wrong(5, "A text, not a number.")],
  boolean: [wrong("true", "A boolean, not a text.")],
  int32: [
    wrong("seven", "An integer."),
    wrong(1.5, "An integer, without a fraction.", "fraction"),
    wrong(2147483648, "An integer of 32 bits.", "range"),
    right(
      "5",
      "ProtoJSON reads an integer from a decimal text; canonical is the number.",
      "int-as-string",
      TABLE,
    ),
  ],
  int64: [
    wrong("seven", "An integer."),
    right(
      5,
      "ProtoJSON reads a 64-bit integer from a number too; canonical is text.",
      "int-as-number",
      TABLE,
    ),
  ],
  integer: [wrong("7", "A number, not a text."), wrong(1.5, "An integer, without a fraction.", "fraction")],
  number: [wrong("1.5", "A number, not a text.")],
  bytes: [
    wrong(5, "Bytes are base64 text."),
    wrong("not base64!", "Bytes are base64 text.", "base64"),
    right("-_-_", "The URL-safe alphabet is read too; canonical is the standard one.", "base64-url", TABLE),
  ],
  timestamp: [
    wrong(1738324800, "A timestamp is a text."),
    wrong("yesterday", "A timestamp is RFC 3339.", "timestamp"),
    wrong("2025-01-31T12:00:00", "A timestamp has a zone.", "timestamp-zone"),
    right("2025-01-31T14:00:00.250+02:00", "An offset is allowed.", "timestamp-offset"),
  ],
  json: [right(null, "null is a value here.", "json-null"), right("text", "Any JSON value.", "json-text")],
  struct: [wrong("text", "An object."), wrong([1], "An object, not an array.", "struct-list")],
  null: [wrong(0, "Always null.")],
};
