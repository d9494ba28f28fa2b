import { Buffer, isUtf8 } from "node:buffer";
import { WireFault } from "./wire-fault.js";
import { BYTES, FIXED32, FIXED64, VARINT } from "./wire-types.js";

const REPLACEMENT = "\ufffd";

/** Reads bytes of a protobuf message from front to back, never past `limit`. */
export class WireReader {
  private readonly bytes: Buffer;
  /** Where it stands. */
  at = 0;
  /** Where the part ends that is being read. */
  limit: number;
  /** Halves of the number that `varint64` or `fixed64` read last, both without a sign. */
  low = 0;
  high = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.limit = bytes.byteLength;
  }

  /** Number and wire type of a field: `number << 3 | type`. */
  tag(): number {
    const first = this.bytes[this.at];
    if (first !== undefined && first < 128 && first > 7 && this.at < this.limit) {
      this.at += 1;
      return first;
    }
    const start = this.at;
    this.varint64();
    if (this.high !== 0 || this.low < 8 || this.at - start > 5)
      throw new WireFault("expected a field, found an impossible number of one");
    return this.low;
  }

  /** The low 32 bits of a varint, without a sign. */
  uint32(): number {
    const first = this.bytes[this.at];
    if (first !== undefined && first < 128 && this.at < this.limit) {
      this.at += 1;
      return first;
    }
    this.varint64();
    return this.low;
  }

  /** A varint, into `low` and `high`. */
  varint64(): void {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.byte();
      const bits = byte & 127;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high |= bits >>> 4;
      } else high |= bits << (shift - 32);
      if (byte < 128) {
        this.low = low >>> 0;
        this.high = high >>> 0;
        return;
      }
    }
    throw new WireFault("expected a number, found more than ten bytes");
  }

  /** Four bytes, without a sign. */
  fixed32(): number {
    return this.bytes.readUInt32LE(this.step(4));
  }

  /** Eight bytes, into `low` and `high`. */
  fixed64(): void {
    this.low = this.fixed32();
    this.high = this.fixed32();
  }

  float(): number {
    return this.bytes.readFloatLE(this.step(4));
  }

  double(): number {
    return this.bytes.readDoubleLE(this.step(8));
  }

  /** Text with its length before it; bytes that are no UTF-8 are refused. */
  string(): string {
    const size = this.uint32();
    const start = this.step(size);
    const text = this.bytes.toString("utf8", start, start + size);
    // Invalid bytes become this character, which may as well have been there.
    if (text.includes(REPLACEMENT) && !isUtf8(this.bytes.subarray(start, start + size)))
      throw new WireFault("expected text, found bytes that are not UTF-8");
    return text;
  }

  /** Bytes with their length before them, as base64. */
  base64(): string {
    const size = this.uint32();
    const start = this.step(size);
    return this.bytes.toString("base64", start, start + size);
  }

  /** Enters a part with its length before it; returns the limit that `leave` puts back. */
  enter(): number {
    const size = this.uint32();
    const { limit } = this;
    if (size > limit - this.at) throw cut();
    this.limit = this.at + size;
    return limit;
  }

  /** Leaves a part that was read to its end. */
  leave(limit: number): void {
    this.limit = limit;
  }

  /** Passes over the value of a field that is not known. Groups, which proto3 does not have, are refused. */
  skip(tag: number): void {
    switch (tag & 7) {
      case VARINT:
        this.varint64();
        return;
      case FIXED64:
        this.step(8);
        return;
      case BYTES:
        this.step(this.uint32());
        return;
      case FIXED32:
        this.step(4);
        return;
      default:
        throw new WireFault(
          `expected a field of proto3, found a group or unknown kind of field ${String(tag >>> 3)}`,
        );
    }
  }

  private byte(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined || this.at >= this.limit) throw cut();
    this.at += 1;
    return byte;
  }

  /** Where the next bytes are, which are passed. */
  private step(size: number): number {
    const start = this.at;
    if (size > this.limit - start) throw cut();
    this.at = start + size;
    return start;
  }
}

const cut = (): WireFault => new WireFault("ends within a value");
