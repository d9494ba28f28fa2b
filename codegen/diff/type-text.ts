import type { Type } from "../ir/types.js";
import { byName } from "../load/stable-json.js";

/** A type in one line; references are written by the name that `name` gives them, members of unions in order of name. */
export function typeText(type: Type, name: (ref: string) => string = (ref) => ref): string {
  switch (type.kind) {
    case "scalar":
      return type.name;
    case "literal":
      return JSON.stringify(type.value);
    case "ref":
      return name(type.name);
    case "array":
      return type.of.kind === "union" ? `(${typeText(type.of, name)})[]` : `${typeText(type.of, name)}[]`;
    case "map":
      return `map<${typeText(type.of, name)}>`;
    case "union":
      return type.of
        .map((member) => typeText(member, name))
        .sort(byName)
        .join(" | ");
  }
}
