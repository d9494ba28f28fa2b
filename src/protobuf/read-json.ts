import { isObject } from "../codec/json.js";
import { below } from "./levels.js";
import { setOwn } from "./set-own.js";
import { at, WireFault } from "./wire-fault.js";
import type { WireReader } from "./wire-reader.js";

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

/**
 * The JSON of a `google.protobuf.Value`, up to the reader's limit; `earlier` is the value of the same field that stands
 * before it, which objects and lists go on with. No kind at all is null.
 */
export function readValue(reader: WireReader, level: number, earlier?: unknown): unknown {
  let value = earlier;
  while (reader.at < reader.limit) {
    const tag = reader.tag();
    switch (tag) {
      case NULL:
        reader.varint64();
        value = null;
        break;
      case NUMBER:
        value = finite(reader.double());
        break;
      case STRING:
        value = reader.string();
        break;
      case BOOL:
        reader.varint64();
        value = reader.low !== 0 || reader.high !== 0;
        break;
      case STRUCT: {
        const limit = reader.enter();
        value = readStruct(reader, level, value);
        reader.leave(limit);
        break;
      }
      case LIST: {
        const limit = reader.enter();
        value = readList(reader, level, value);
        reader.leave(limit);
        break;
      }
      default:
        reader.skip(tag);
    }
  }
  return value ?? null;
}

/** The object of a `google.protobuf.Struct`; what stands before it in the same field is kept. */
export function readStruct(reader: WireReader, level: number, earlier?: unknown): Record<string, unknown> {
  const inner = below(level);
  const object: Record<string, unknown> = isObject(earlier) ? earlier : {};
  while (reader.at < reader.limit) {
    const tag = reader.tag();
    if (tag !== ENTRY) reader.skip(tag);
    else readEntry(reader, inner, object);
  }
  return object;
}

function readEntry(reader: WireReader, level: number, object: Record<string, unknown>): void {
  const limit = reader.enter();
  let name = "";
  let value: unknown;
  try {
    while (reader.at < reader.limit) {
      const tag = reader.tag();
      if (tag === ENTRY_KEY) name = reader.string();
      else if (tag === ENTRY_VALUE) {
        const outer = reader.enter();
        value = readValue(reader, level, value);
        reader.leave(outer);
      } else reader.skip(tag);
    }
  } catch (error) {
    throw at(name, error);
  }
  setOwn(object, name, value ?? null);
  reader.leave(limit);
}

/** The list of a `google.protobuf.ListValue`; what stands before it in the same field is kept. */
export function readList(reader: WireReader, level: number, earlier?: unknown): unknown[] {
  const inner = below(level);
  const list: unknown[] = Array.isArray(earlier) ? earlier : [];
  try {
    while (reader.at < reader.limit) {
      const tag = reader.tag();
      if (tag !== ITEM) {
        reader.skip(tag);
        continue;
      }
      const limit = reader.enter();
      list.push(readValue(reader, inner));
      reader.leave(limit);
    }
  } catch (error) {
    throw at(list.length, error);
  }
  return list;
}

/** JSON has no word for the others (`A2A-PJ-j`). */
function finite(number: number): number {
  if (!Number.isFinite(number)) throw new WireFault("expected JSON, found a number that is not finite");
  return number;
}
