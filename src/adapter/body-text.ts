import { isUtf8 } from "node:buffer";
import { A2AError } from "../errors.js";

/** The text of a body without the mark that some put before it. Bytes that are no UTF-8 are a `PARSE_ERROR`. */
export function bodyText(bytes: Uint8Array): string {
  const text = (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes)).toString("utf8");
  // What cannot be read becomes this character, which may as well be meant: only then another look is needed.
  if (text.includes("\uFFFD") && !isUtf8(bytes)) {
    throw new A2AError("PARSE_ERROR", "Invalid JSON payload: the body is not UTF-8", { code: -32700 });
  }
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
