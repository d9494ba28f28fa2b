import { isObject } from "../codec/json.js";
import { below } from "./levels.js";
import { at, unexpected, WireFault } from "./wire-fault.js";
import type { WireWriter } from "./wire-writer.js";

// Tags of google.protobuf.Value, in the order of its fields, and of the entries of a Struct.
const NULL = 8;
const NUMBER = 17;
const STRING = 26;
const BOOL = 32;
const STRUCT = 42;
const LIST = 50;
const ENTRY = 10;
const ENTRY_KEY = 10;
const ENTRY_VALUE = 18;
const ITEM = 10;

/** Any JSON as the inside of a `google.protobuf.Value`. */
export function writeValue(writer: WireWriter, value: unknown, level: number): void {
  switch (typeof value) {
    case "string":
      writer.uint32(STRING);
      writer.string(value);
      return;
    case "number":
      if (!Number.isFinite(value)) throw new WireFault("expected JSON, found a number that is not finite");
      writer.uint32(NUMBER);
      writer.double(value);
      return;
    case "boolean":
      writer.uint32(BOOL);
      writer.uint32(value ? 1 : 0);
      return;
    case "object":
      if (value === null) {
        writer.uint32(NULL);
        writer.uint32(0);
        return;
      }
      break;
    default:
      throw unexpected("JSON", value);
  }
  const isList = Array.isArray(value);
  writer.uint32(isList ? LIST : STRUCT);
  const start = writer.begin();
  if (isList) writeList(writer, value, level);
  else writeStruct(writer, value, level);
  writer.end(start);
}

/** An object as the inside of a `google.protobuf.Struct`. */
export function writeStruct(writer: WireWriter, value: unknown, level: number): void {
  if (!isObject(value)) throw unexpected("an object", value);
  const inner = below(level);
  for (const name of Object.keys(value)) {
    const item: unknown = value[name];
    // As in JSON text, where such a member does not exist.
    if (item === undefined) continue;
    try {
      writer.uint32(ENTRY);
      const entry = writer.begin();
      writer.uint32(ENTRY_KEY);
      writer.string(name);
      writer.uint32(ENTRY_VALUE);
      const start = writer.begin();
      writeValue(writer, item, inner);
      writer.end(start);
      writer.end(entry);
    } catch (error) {
      throw at(name, error);
    }
  }
}

/** A list as the inside of a `google.protobuf.ListValue`. */
export function writeList(writer: WireWriter, value: unknown, level: number): void {
  if (!Array.isArray(value)) throw unexpected("a list", value);
  const inner = below(level);
  const items: readonly unknown[] = value;
  for (let index = 0; index < items.length; index++) {
    try {
      writer.uint32(ITEM);
      const start = writer.begin();
      writeValue(writer, items[index] ?? null, inner);
      writer.end(start);
    } catch (error) {
      throw at(index, error);
    }
  }
}
