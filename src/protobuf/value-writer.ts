import type { WireEnum, WireField, WireMessage, WireScalar } from "../descriptor.js";
import { instantOf } from "./timestamp.js";
import { WireFault } from "./wire-fault.js";
import type { WireWriter } from "./wire-writer.js";
import { writeList, writeStruct, writeValue } from "./write-json.js";
import { writeScalar } from "./write-scalar.js";

/** Writes one value without its tag. */
export type WriteValue = (writer: WireWriter, value: unknown, level: number) => void;

/** Writes the inside of a message. */
export type WriteMessage = (message: WireMessage, writer: WireWriter, value: unknown, level: number) => void;

/** How the values of a field are written; messages by `writeMessage`. */
export function valueWriter(field: WireField, writeMessage: WriteMessage): WriteValue {
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
  (write: WriteValue): WriteValue =>
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
function enumWriter({ values }: WireEnum): WriteValue {
  return (writer, value) => {
    const known = typeof value === "string" && Object.hasOwn(values, value) ? values[value] : undefined;
    if (known !== undefined) writer.int32(known);
    else if (typeof value === "number" || (typeof value === "string" && /^-?\d+$/.test(value)))
      writeScalar("int32", writer, value);
    else throw new WireFault(`expected one of ${Object.keys(values).join(", ")}, found another value`);
  };
}

/** How the keys of a map are written, which are text in JSON. */
export function keyWriter(key: WireScalar): WriteValue {
  return (writer, name) => {
    const isFlag = key === "bool" && (name === "true" || name === "false");
    writeScalar(key, writer, isFlag ? name === "true" : name);
  };
}
