import type { Type } from "../ir/types.js";
import { quote } from "./code.js";

/** A use of a type as TypeScript text; `named` says how a declaration is written here, `seam` the same for JSON types. */
export function typeText(
  type: Type,
  named: (name: string) => string,
  seam: (name: "Json" | "JsonObject") => string,
): string {
  const inner = (of: Type): string => typeText(of, named, seam);
  switch (type.kind) {
    case "ref":
      return named(type.name);
    case "literal":
      return typeof type.value === "string" ? quote(type.value) : String(type.value);
    case "array":
      return `(${inner(type.of)})[]`;
    case "map":
      return `{ [key: string]: ${inner(type.of)} }`;
    case "union":
      return type.of.map(inner).join(" | ");
    case "scalar":
      switch (type.name) {
        case "json":
          return seam("Json");
        case "struct":
          return seam("JsonObject");
        case "boolean":
        case "null":
          return type.name;
        case "int32":
        case "integer":
        case "number":
          return "number";
        default:
          return "string";
      }
  }
}
