import { InputFault } from "../fault.js";
import type { Schema } from "../schema.js";
import type { Hoist, Raw } from "./dialect.js";
import { asStrings, isRaw, step } from "./raw.js";

/** Nodes of the 1.0 bundle that describe ProtoJSON's several spellings of one scalar. */
export function protoSpecial(node: Raw, pointer: string, hoist: Hoist): Schema | undefined {
  if (node["type"] === "string" && typeof node["pattern"] === "string")
    return bytes(node["pattern"], pointer);
  const anyOf = node["anyOf"];
  if (!Array.isArray(anyOf)) return undefined;
  const options = anyOf.filter(isRaw);
  const listed = options.find((option) => Array.isArray(option["enum"]));
  if (listed !== undefined && options.some((option) => option["type"] === "integer")) {
    return protoEnum(options, asStrings(listed["enum"], step(pointer, "anyOf")), node, pointer, hoist);
  }
  if (options.some((option) => option["type"] === "number")) return { type: "number" };
  const integer = options.find((option) => option["type"] === "integer");
  if (integer !== undefined && options.some((option) => option["type"] === "string")) {
    return { type: "integer", format: Number(integer["maximum"]) > 2 ** 31 ? "int64" : "int32" };
  }
  return undefined;
}

function bytes(pattern: string, pointer: string): Schema {
  if (!pattern.startsWith("^[A-Za-z0-9+/")) throw new InputFault(`unknown pattern ${pattern}`, pointer);
  return { type: "string", format: "bytes" };
}

/**
 * An enum stands inline at each use. Its name is taken from its zero value, which by protobuf style is the name of the
 * enum in capitals and `_UNSPECIFIED`.
 */
function protoEnum(
  options: readonly Raw[],
  listed: readonly string[],
  node: Raw,
  pointer: string,
  hoist: Hoist,
): Schema {
  const zero = options
    .map((option) => /^\^(\w+)\$$/.exec(String(option["pattern"]))?.[1])
    .find((name) => name !== undefined);
  const values = zero === undefined || listed.includes(zero) ? listed : [zero, ...listed];
  const stem = values
    .map((value) => /^(\w+)_UNSPECIFIED$/.exec(value)?.[1])
    .find((name) => name !== undefined);
  if (stem === undefined) throw new InputFault("an enum without an _UNSPECIFIED value has no name", pointer);
  const name = stem.toLowerCase().replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  const reference = hoist(name, { type: "string", enum: values }, pointer);
  const zeroValue = values[0];
  return node["default"] === 0 && zeroValue !== undefined ? { ...reference, default: zeroValue } : reference;
}
