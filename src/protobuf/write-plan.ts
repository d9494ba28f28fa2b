import type { WireEnum, WireField, WireMessage, WireScalar } from "../descriptor.js";
import { isObject } from "../codec/json.js";
import { below } from "./levels.js";
import { instantOf } from "./timestamp.js";
import { at, unexpected, WireFault } from "./wire-fault.js";
import { BYTES, wireTypeOf } from "./wire-types.js";
import type { WireWriter } from "./wire-writer.js";
import { writeList, writeStruct, writeValue } from "./write-json.js";
import { writeScalar } from "./write-scalar.js";

/** Writes one value without its tag. */
type Write = (writer: WireWriter, value: unknown, level: number) => void;

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
  readonly write: Write;
  readonly shape: "one" | "list" | "packed" | "map";
  readonly writeKey: Write | undefined;
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
    write: writeOf(field),
    shape,
    writeKey: key === undefined ? undefined : keyWriter(key),
    keyTag: (1 << 3) | wireTypeOf(key ?? "string"),
    valueTag: (2 << 3) | wire,
  };
}

/** The default of a field without presence, in its canonical JSON. */
function zeroOf(field: WireField): unknown {
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

function writeOf(field: WireField): Write {
  switch (field.type) {
    case "message": {
      let message: WireMessage | undefined;
      return nested((writer, value, level) => {
        writeMessage((message ??= field.of()), writer, value, level);
      });
    }
    case "enum":
      return enumWriter(field.of());
    case "struct":
      return nested(writeStruct);
    case "value":
      return nested(writeValue);
    case "listValue":
      return nested(writeList);
    case "timestamp":
      return nested(writeTimestamp);
    default: {
      const { type } = field;
      return (writer, value) => {
        writeScalar(type, writer, value);
      };
    }
  }
}

const nested =
  (write: Write): Write =>
  (writer, value, level) => {
    const start = writer.begin();
    write(writer, value, level);
    writer.end(start);
  };

function writeTimestamp(writer: WireWriter, value: unknown): void {
  const { seconds, nanos } = instantOf(value);
  if (seconds !== 0) {
    writer.uint32(8);
    writeScalar("int64", writer, seconds);
  }
  if (nanos !== 0) {
    writer.uint32(16);
    writer.uint32(nanos);
  }
}

/** Names, and numbers of values that have none here, which replies keep as text. */
function enumWriter({ values }: WireEnum): Write {
  return (writer, value) => {
    const known = typeof value === "string" && Object.hasOwn(values, value) ? values[value] : undefined;
    if (known !== undefined) writer.int32(known);
    else if (typeof value === "number" || (typeof value === "string" && /^-?\d+$/.test(value)))
      writeScalar("int32", writer, value);
    else throw new WireFault(`expected one of ${Object.keys(values).join(", ")}, found another value`);
  };
}

/** Keys of maps are text in JSON. */
function keyWriter(key: WireScalar): Write {
  return (writer, name) => {
    const isFlag = key === "bool" && (name === "true" || name === "false");
    writeScalar(key, writer, isFlag ? name === "true" : name);
  };
}
