import type { WireField } from "../descriptor.js";

/** Wire types: what follows a tag. */
export const VARINT = 0;
export const FIXED64 = 1;
export const BYTES = 2;
export const FIXED32 = 5;

/** The wire type of one value of a field. */
export function wireTypeOf(type: WireField["type"]): number {
  switch (type) {
    case "bool":
    case "int32":
    case "int64":
    case "uint32":
    case "uint64":
    case "sint32":
    case "sint64":
    case "enum":
      return VARINT;
    case "double":
    case "fixed64":
    case "sfixed64":
      return FIXED64;
    case "float":
    case "fixed32":
    case "sfixed32":
      return FIXED32;
    default:
      return BYTES;
  }
}
