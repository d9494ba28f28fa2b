import type { WireField, WireMessage } from "../descriptor.js";
import { isObject } from "../codec/json.js";
import { below } from "./levels.js";
import { setOwn } from "./set-own.js";
import { readScalar } from "./read-scalar.js";
import { type ReadValue, valueReader } from "./value-reader.js";
import { at } from "./wire-fault.js";
import { WireReader } from "./wire-reader.js";
import { BYTES, wireTypeOf } from "./wire-types.js";
import { zeroOf } from "./zero-of.js";

/** A field, ready to be read. */
interface FieldPlan {
  readonly name: string;
  readonly read: ReadValue;
  readonly shape: "one" | "list" | "map";
  /** The default that is left out; undefined for fields with presence or such as are always there. */
  readonly zero: unknown;
  /** The other members of its oneof. */
  readonly others: readonly string[] | undefined;
  readonly keyTag: number;
  readonly readKey: (reader: WireReader) => string;
  readonly emptyKey: string;
  readonly valueTag: number;
  /** The value of an entry that has none. */
  readonly empty: () => unknown;
}

/** What stands behind a tag: a field, or the values of one in a row. */
interface Entry {
  readonly field: FieldPlan;
  readonly packed: boolean;
}

interface MessagePlan {
  readonly byTag: ReadonlyMap<number, Entry>;
  /** Members that are there even where the wire has nothing. */
  readonly always: readonly { readonly name: string; readonly value: () => unknown }[];
}

/** What is read from these bytes is the default of its type, whichever that is. */
const NOTHING = new Uint8Array(8);

const plans = new WeakMap<WireMessage, MessagePlan>();

/** The inside of a message, up to the reader's limit; `earlier` is what stands before it in the same field. */
export function readMessage(
  message: WireMessage,
  reader: WireReader,
  level: number,
  earlier?: unknown,
): Record<string, unknown> {
  const inner = below(level);
  const { byTag, always } = planOf(message);
  const out: Record<string, unknown> = isObject(earlier) ? earlier : {};
  while (reader.at < reader.limit) {
    const tag = reader.tag();
    const entry = byTag.get(tag);
    if (entry === undefined) {
      reader.skip(tag);
      continue;
    }
    try {
      readField(entry, reader, inner, out);
    } catch (error) {
      throw at(entry.field.name, error);
    }
  }
  for (const { name, value } of always) if (out[name] === undefined) out[name] = value();
  return out;
}

function readField(
  { field, packed }: Entry,
  reader: WireReader,
  level: number,
  out: Record<string, unknown>,
): void {
  const { name, shape } = field;
  const earlier = out[name];
  if (shape === "one") {
    const value = field.read(reader, level, earlier);
    if (value === field.zero) {
      if (earlier !== undefined) Reflect.deleteProperty(out, name);
      return;
    }
    out[name] = value;
    if (field.others !== undefined)
      for (const other of field.others) if (out[other] !== undefined) Reflect.deleteProperty(out, other);
    return;
  }
  if (shape === "map") {
    readMapEntry(field, reader, level, (out[name] ??= {}) as Record<string, unknown>);
    return;
  }
  readItems(field, packed, reader, level, (out[name] ??= []) as unknown[]);
}

function readItems(
  { read }: FieldPlan,
  packed: boolean,
  reader: WireReader,
  level: number,
  list: unknown[],
): void {
  try {
    if (!packed) {
      list.push(read(reader, level));
      return;
    }
    const limit = reader.enter();
    while (reader.at < reader.limit) list.push(read(reader, level));
    reader.leave(limit);
  } catch (error) {
    throw at(list.length, error);
  }
}

function readMapEntry(
  field: FieldPlan,
  reader: WireReader,
  level: number,
  map: Record<string, unknown>,
): void {
  const limit = reader.enter();
  let key = field.emptyKey;
  let value: unknown;
  try {
    while (reader.at < reader.limit) {
      const tag = reader.tag();
      if (tag === field.keyTag) key = field.readKey(reader);
      else if (tag === field.valueTag) value = field.read(reader, level, value);
      else reader.skip(tag);
    }
  } catch (error) {
    throw at(key, error);
  }
  setOwn(map, key, value ?? field.empty());
  reader.leave(limit);
}

/** A message by the tags of its fields, made ready on first use. */
function planOf(message: WireMessage): MessagePlan {
  const known = plans.get(message);
  if (known !== undefined) return known;
  const byTag = new Map<number, Entry>();
  for (const field of message.fields) {
    const plan = fieldPlan(field, message);
    const wire = field.key === undefined ? wireTypeOf(field.type) : BYTES;
    byTag.set(((field.no << 3) | wire) >>> 0, { field: plan, packed: false });
    // Both forms of a list of numbers are read, whichever is declared.
    if (field.repeated === true && wire !== BYTES)
      byTag.set(((field.no << 3) | BYTES) >>> 0, { field: plan, packed: true });
  }
  const always = message.fields.flatMap((field) =>
    field.always === true ? [{ name: field.name, value: defaultOf(field) }] : [],
  );
  const plan = { byTag, always };
  plans.set(message, plan);
  return plan;
}

function fieldPlan(field: WireField, { fields }: WireMessage): FieldPlan {
  const { name, type, key, repeated, oneof, optional, always } = field;
  const others = fields.flatMap((other) =>
    oneof !== undefined && other.oneof === oneof && other !== field ? [other.name] : [],
  );
  const isKept = optional === true || oneof !== undefined || always === true;
  const read = valueReader(field, readMessage);
  return {
    name,
    read,
    shape: key !== undefined ? "map" : repeated === true ? "list" : "one",
    zero: isKept ? undefined : zeroOf(field),
    others: others.length === 0 ? undefined : others,
    keyTag: (1 << 3) | wireTypeOf(key ?? "string"),
    readKey: (reader) => String(readScalar(key ?? "string", reader)),
    emptyKey: key === undefined || key === "string" ? "" : key === "bool" ? "false" : "0",
    valueTag: (2 << 3) | wireTypeOf(type),
    empty: () => read(new WireReader(NOTHING), 0),
  };
}

/** What stands for a field that the wire leaves out. */
function defaultOf(field: WireField): () => unknown {
  if (field.key !== undefined) return () => ({});
  if (field.repeated === true) return () => [];
  const zero = zeroOf(field);
  return () => zero;
}
