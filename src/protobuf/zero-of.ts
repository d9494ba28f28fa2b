import type { WireField } from "../descriptor.js";

/** The default of one value of a field in its canonical JSON; messages, and what has JSON of its own, have none. */
export function zeroOf(field: WireField): unknown {
  switch (field.type) {
    case "string":
    case "bytes":
      return "";
    case "bool":
      return false;
    case "int64":
    case "uint64":
    case "sint64":
    case "fixed64":
    case "sfixed64":
      return "0";
    case "enum":
      return Object.entries(field.of().values).find(([, number]) => number === 0)?.[0];
    case "message":
    case "timestamp":
    case "struct":
    case "value":
    case "listValue":
      return undefined;
    default:
      return 0;
  }
}
