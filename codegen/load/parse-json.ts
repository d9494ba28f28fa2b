import { step } from "./dialects/raw.js";
import { InputFault } from "./fault.js";

/** JSON text as a value; a fault for text that is no JSON, and for a key twice in one object: only the last would count. */
export function parseJson(text: string, file: string): unknown {
  const value = parse(text, file);
  refuseDoubleKeys(text, file);
  return value;
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InputFault(`is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`, file);
  }
}

/** A text, with the colon that makes it a key, or a sign of structure. */
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\],]/g;

/** Expects well-formed JSON. */
function refuseDoubleKeys(text: string, file: string): void {
  // What stands open around the token: objects with the keys so far, lists with the index of the element.
  const open: { readonly keys?: Set<string>; at: string | number }[] = [];
  for (const [token, quoted, colon] of text.matchAll(TOKEN)) {
    const inner = open.at(-1);
    if (token === "{") open.push({ keys: new Set(), at: "" });
    else if (token === "[") open.push({ at: 0 });
    else if (token === "}" || token === "]") open.pop();
    else if (token === "," && typeof inner?.at === "number") inner.at += 1;
    else if (quoted !== undefined && colon !== undefined && inner?.keys !== undefined) {
      inner.at = String(JSON.parse(quoted));
      const pointer = open.reduce((path, { at }) => step(path, at), `${file}#`);
      if (inner.keys.has(inner.at))
        throw new InputFault("stands there twice", pointer, "keep one of the two");
      inner.keys.add(inner.at);
    }
  }
}
