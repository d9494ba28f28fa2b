import { InputFault } from "../fault.js";
import type { Dialect, Raw } from "./dialect.js";
import { asRaw, step } from "./raw.js";

/** 0.1.0 (`$defs`) and 0.2.0–0.3.0 (`definitions`): keys are names, references are pointers, JSON is plain. */
export function plainDialect(definitions: Raw, key: string): Dialect {
  const prefix = `#/${key}/`;
  return {
    encoding: "json",
    definitions: new Map(
      Object.keys(definitions).map((name) => {
        const pointer = step(`#/${key}`, name);
        return [name, { node: asRaw(definitions[name], pointer), pointer }];
      }),
    ),
    resolve(ref, pointer) {
      const name = ref.startsWith(prefix) ? ref.slice(prefix.length) : undefined;
      if (name === undefined || definitions[name] === undefined) {
        throw new InputFault(`reference to ${ref}, which is not in the file`, pointer);
      }
      return { ref: name };
    },
  };
}
