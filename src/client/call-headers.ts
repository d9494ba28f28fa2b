import type { Headers } from "../call.js";
import { A2AError } from "../errors.js";

/**
 * Headers in lower case, later ones over earlier ones. A name or value that HTTP cannot carry is refused here
 * (`CONFIG`), because fetch functions would print the value, and it may be a credential.
 */
export function mergeHeaders(...sources: readonly (Headers | false | "" | undefined)[]): Headers {
  const merged: Headers = {};
  for (const source of sources) {
    for (const [name, value] of Object.entries(source || {})) {
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
        throw new A2AError(
          "CONFIG",
          `Name or value of header ${JSON.stringify(name)} cannot be sent over HTTP`,
        );
      }
      merged[name.toLowerCase()] = value;
    }
  }
  return merged;
}
