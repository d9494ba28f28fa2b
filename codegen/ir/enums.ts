import type { Schema } from "../load/schema.js";
import { enumKeys } from "./names.js";
import type { Scope } from "./scope.js";
import type { Decl, EnumValue } from "./types.js";

/** Declares an enum: keys without the common prefix, numbers from the proto, other spellings from the overlay. */
export function enumDecl(scope: Scope, name: string, schema: Schema, pointer: string): Decl {
  const values = schema.enum ?? [];
  const keys = enumKeys(name, values);
  const proto = scope.proto?.enums.find((candidate) => candidate.name === name);
  return {
    kind: "enum",
    name,
    pointer,
    values: values.map((value, i): EnumValue => {
      const number = proto?.values.find((candidate) => candidate.name === value)?.number;
      return {
        value,
        key: keys[i] ?? value,
        ...(number === undefined ? {} : { number }),
        legacy: scope.facts.spellings("values", `${name}.${value}`),
      };
    }),
  };
}
