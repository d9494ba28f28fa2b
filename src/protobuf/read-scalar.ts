import type { WireScalar } from "../descriptor.js";
import { WireFault } from "./wire-fault.js";
import type { WireReader } from "./wire-reader.js";

/** One scalar as its canonical JSON: text, base64, numbers, and decimal text for 64 bits. */
export function readScalar(type: WireScalar, reader: WireReader): unknown {
  switch (type) {
    case "string":
      return reader.string();
    case "bytes":
      return reader.base64();
    case "bool":
      reader.varint64();
      return reader.low !== 0 || reader.high !== 0;
    case "double":
      return finite(reader.double());
    case "float":
      return finite(reader.float());
    case "int32":
      return reader.uint32() | 0;
    case "uint32":
      return reader.uint32();
    case "sint32": {
      const bits = reader.uint32();
      return (bits >>> 1) ^ -(bits & 1);
    }
    case "fixed32":
      return reader.fixed32();
    case "sfixed32":
      return reader.fixed32() | 0;
    case "fixed64":
    case "sfixed64":
      reader.fixed64();
      return text64(reader, type === "sfixed64");
    case "int64":
    case "uint64":
      reader.varint64();
      return text64(reader, type === "int64");
    case "sint64": {
      reader.varint64();
      const bits = bits64(reader);
      return String((bits >> 1n) ^ -(bits & 1n));
    }
  }
}

/** Seconds of a timestamp; such as are no safe integer are out of its bounds anyway. */
export function readSeconds(reader: WireReader): number {
  reader.varint64();
  return (reader.high | 0) * 0x1_0000_0000 + reader.low;
}

const bits64 = ({ low, high }: WireReader): bigint => (BigInt(high) << 32n) | BigInt(low);

function text64(reader: WireReader, signed: boolean): string {
  const bits = bits64(reader);
  return String(signed ? BigInt.asIntN(64, bits) : bits);
}

/** JSON has no word for the others. */
function finite(number: number): number {
  if (!Number.isFinite(number)) throw new WireFault("expected a finite number");
  return number;
}
