import { type BytesMapper, mapBytes } from "../codec/map-bytes.js";
import type { Rule } from "../descriptor.js";

/** Told about bytes that may have been encoded twice, or should have been and were not. */
export type BytesWarning = (code: string, message: string, pointer: string) => void;

/** The base64 of the text, which is base64 itself: some peers write the bytes of a file so. */
export const encodeTwice = (rule: Rule, value: unknown): unknown =>
  mapBytes(rule, value, (text) => btoa(text));

/** Takes one layer of base64 off again; bytes that were encoded once only are kept, with a warning. */
export const decodeTwice = (rule: Rule, value: unknown, warn: BytesWarning): unknown =>
  mapBytes(rule, value, (text, pointer) => {
    const inner = innerBase64(text);
    if (inner === undefined && text !== "")
      warn("single-base64", "is not encoded twice, as doubleBase64 says: kept as it came", pointer);
    return inner ?? text;
  });

/** Bytes that are base64 text themselves may have been encoded twice or not: they are kept, with a warning. */
export function warnOfDoubles(rule: Rule, value: unknown, warn: BytesWarning): void {
  const look: BytesMapper = (text, pointer) => {
    if (innerBase64(text) !== undefined)
      warn(
        "ambiguous-base64",
        "holds base64 text: kept as it came; a peer that encodes twice needs doubleBase64",
        pointer,
      );
    return text;
  };
  mapBytes(rule, value, look);
}

/** The base64 text that base64 text holds, if it does. */
function innerBase64(text: string): string | undefined {
  const inner = atob(text);
  return inner !== "" && inner.length % 4 === 0 && /^[A-Za-z\d+/]*={0,2}$/.test(inner) ? inner : undefined;
}
