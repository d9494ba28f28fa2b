import type { WireScalar } from "../descriptor.js";
import { unexpected, WireFault } from "./wire-fault.js";
import type { WireWriter } from "./wire-writer.js";

/** One scalar in its canonical JSON form, without a tag: text, base64, numbers, and decimal text for 64 bits. */
export function writeScalar(type: WireScalar, writer: WireWriter, value: unknown): void {
  switch (type) {
    case "string":
      if (typeof value !== "string") throw unexpected("a string", value);
      writer.string(value);
      return;
    case "bytes":
      if (typeof value !== "string") throw unexpected("a base64 string", value);
      if (!writer.base64(value)) throw new WireFault("expected a base64 string, found other text");
      return;
    case "bool":
      if (typeof value !== "boolean") throw unexpected("true or false", value);
      writer.uint32(value ? 1 : 0);
      return;
    case "double":
    case "float":
      if (typeof value !== "number") throw unexpected("a number", value);
      if (!Number.isFinite(value)) throw new WireFault("expected a finite number");
      if (type === "double") writer.double(value);
      else writer.float(value);
      return;
    case "int32":
      writer.int32(whole(value, -0x80000000, 0x7fffffff));
      return;
    case "sint32": {
      const number = whole(value, -0x80000000, 0x7fffffff);
      writer.uint32(((number << 1) ^ (number >> 31)) >>> 0);
      return;
    }
    case "uint32":
      writer.uint32(whole(value, 0, 0xffffffff));
      return;
    case "fixed32":
      writer.fixed32(whole(value, 0, 0xffffffff));
      return;
    case "sfixed32":
      writer.fixed32(whole(value, -0x80000000, 0x7fffffff));
      return;
    case "int64":
    case "uint64":
    case "sint64":
    case "fixed64":
    case "sfixed64":
      write64(type, writer, value);
  }
}

function write64(
  type: "int64" | "uint64" | "sint64" | "fixed64" | "sfixed64",
  writer: WireWriter,
  value: unknown,
): void {
  const isSafe = typeof value === "number" && Number.isSafeInteger(value);
  if (!isSafe && !(typeof value === "string" && /^-?\d{1,20}$/.test(value)))
    throw unexpected("a whole number", value);
  const number = BigInt(value);
  const fits =
    type === "uint64" || type === "fixed64" ? BigInt.asUintN(64, number) : BigInt.asIntN(64, number);
  if (fits !== number) throw new WireFault("expected a whole number of 64 bits");
  const bits = BigInt.asUintN(64, type === "sint64" ? (number << 1n) ^ (number >> 63n) : number);
  const low = Number(bits & 0xffffffffn);
  const high = Number(bits >> 32n);
  if (type === "fixed64" || type === "sfixed64") writer.fixed64(low, high);
  else writer.varint64(low, high);
}

/** A whole number within bounds; decimal text is one too. */
function whole(value: unknown, least: number, most: number): number {
  const number = typeof value === "string" && /^-?\d{1,10}$/.test(value) ? Number(value) : value;
  if (typeof number !== "number") throw unexpected("a whole number", value);
  if (!Number.isInteger(number) || number < least || number > most)
    throw new WireFault(`expected a whole number from ${String(least)} to ${String(most)}`);
  return number;
}
