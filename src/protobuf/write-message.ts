import type { WireField, WireMessage } from "../descriptor.js";
import { isObject } from "../codec/json.js";
import { below } from "./levels.js";
import { keyWriter, valueWriter, type WriteValue } from "./value-writer.js";
import { at, unexpected, WireFault } from "./wire-fault.js";
import { BYTES, wireTypeOf } from "./wire-types.js";
import type { WireWriter } from "./wire-writer.js";
import { zeroOf } from "./zero-of.js";

/** A field, ready to be written. */
interface FieldPlan {
  readonly name: string;
  readonly tag: number;
  /** Null is a value. */
  readonly nullable: boolean;
  /** The value that is not written; undefined for fields with presence. */
  readonly zero: unknown;
  /** Bit of its oneof; 0 without one. */
  readonly group: number;
  readonly write: WriteValue;
  readonly shape: "one" | "list" | "packed" | "map";
  readonly writeKey: WriteValue | undefined;
  readonly keyTag: number;
  readonly valueTag: number;
}

const plans = new WeakMap<WireMessage, readonly FieldPlan[]>();

/** The inside of a message. Members that it does not have are left out: they cannot be said in this form. */
export function writeMessage(message: WireMessage, writer: WireWriter, value: unknown, level: number): void {
  if (!isObject(value)) throw unexpected("an object", value);
  const inner = below(level);
  let groups = 0;
  for (const field of planOf(message)) {
    const item: unknown = value[field.name];
    if (item === undefined || (item === null && !field.nullable)) continue;
    try {
      if (field.group !== 0) {
        if ((groups & field.group) !== 0) throw new WireFault("expected one member of its oneof, found two");
        groups |= field.group;
      }
      writeField(field, writer, item, inner);
    } catch (error) {
      throw at(field.name, error);
    }
  }
}

function writeField(field: FieldPlan, writer: WireWriter, item: unknown, level: number): void {
  switch (field.shape) {
    case "one":
      if (item === field.zero) return;
      writer.uint32(field.tag);
      field.write(writer, item, level);
      return;
    case "map":
      writeEntries(field, writer, item, level);
      return;
    case "list":
    case "packed":
      writeItems(field, writer, item, level);
  }
}

function writeItems(
  { tag, shape, write }: FieldPlan,
  writer: WireWriter,
  value: unknown,
  level: number,
): void {
  if (!Array.isArray(value)) throw unexpected("a list", value);
  const items: readonly unknown[] = value;
  if (items.length === 0) return;
  const isPacked = shape === "packed";
  let start = 0;
  if (isPacked) {
    writer.uint32(tag);
    start = writer.begin();
  }
  for (let index = 0; index < items.length; index++) {
    try {
      if (!isPacked) writer.uint32(tag);
      write(writer, items[index], level);
    } catch (error) {
      throw at(index, error);
    }
  }
  if (isPacked) writer.end(start);
}

function writeEntries(field: FieldPlan, writer: WireWriter, value: unknown, level: number): void {
  if (!isObject(value)) throw unexpected("an object", value);
  for (const name of Object.keys(value)) {
    const item: unknown = value[name];
    if (item === undefined) continue;
    try {
      writer.uint32(field.tag);
      const start = writer.begin();
      writer.uint32(field.keyTag);
      field.writeKey?.(writer, name, level);
      writer.uint32(field.valueTag);
      field.write(writer, item, level);
      writer.end(start);
    } catch (error) {
      throw at(name, error);
    }
  }
}

/** The fields of a message, made ready on first use. */
function planOf(message: WireMessage): readonly FieldPlan[] {
  const known = plans.get(message);
  if (known !== undefined) return known;
  const groups = new Map<string, number>();
  const plan = message.fields.map((field) => fieldPlan(field, groups));
  plans.set(message, plan);
  return plan;
}

function fieldPlan(field: WireField, groups: Map<string, number>): FieldPlan {
  const { no, name, type, key, repeated, oneof, optional } = field;
  const wire = wireTypeOf(type);
  const isList = repeated === true;
  const shape = key !== undefined ? "map" : !isList ? "one" : wire === BYTES ? "list" : "packed";
  if (oneof !== undefined && !groups.has(oneof)) groups.set(oneof, 1 << groups.size);
  const hasPresence = optional === true || oneof !== undefined;
  return {
    name,
    tag: ((no << 3) | (shape === "one" || shape === "list" ? wire : BYTES)) >>> 0,
    nullable: type === "value" && shape === "one",
    zero: hasPresence ? undefined : zeroOf(field),
    group: oneof === undefined ? 0 : (groups.get(oneof) ?? 0),
    write: valueWriter(field, writeMessage),
    shape,
    writeKey: key === undefined ? undefined : keyWriter(key),
    keyTag: (1 << 3) | wireTypeOf(key ?? "string"),
    valueTag: (2 << 3) | wire,
  };
}
