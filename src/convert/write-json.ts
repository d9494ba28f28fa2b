import { ABSENT } from "../codec/reader.js";

/** A text that JSON writes as it is: no quote, no backslash, no control character, no half of a surrogate pair. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;
/** Characters up to which looking through a text costs less than a call of `JSON.stringify`. */
const SHORT = 100;

/** Undefined for functions and the like, whatever its own type says. */
const encode: (value: unknown) => string | undefined = JSON.stringify;

/** A value as `JSON.stringify` writes it; `ABSENT` for what JSON leaves out. */
export function writeJson(value: unknown): string | typeof ABSENT {
  if (typeof value === "string" && value.length <= SHORT && PLAIN.test(value)) return `"${value}"`;
  return encode(value) ?? ABSENT;
}
