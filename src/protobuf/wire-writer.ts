import { Buffer } from "node:buffer";

/** Texts of fewer characters have a length of one byte whatever is in them. */
const SHORT = 43;

/** Bytes of a protobuf message as they are put together; it grows as needed. The length of nested parts is put in afterwards. */
export class WireWriter {
  private bytes: Buffer;
  private at = 0;

  constructor(size = 1024) {
    this.bytes = Buffer.allocUnsafeSlow(size);
  }

  /** What was written, as bytes of their own; the writer is empty then. */
  take(): Uint8Array {
    const copy = Buffer.allocUnsafe(this.at);
    this.bytes.copy(copy, 0, 0, this.at);
    this.at = 0;
    return copy;
  }

  /** Drops what was written. */
  clear(): void {
    this.at = 0;
  }

  /** Bytes that it holds on to. */
  get capacity(): number {
    return this.bytes.length;
  }

  /** A whole number of 32 bits, without a sign. */
  uint32(value: number): void {
    if (this.at + 5 > this.bytes.length) this.grow(5);
    let { at } = this;
    const { bytes } = this;
    while (value > 127) {
      bytes[at++] = (value & 127) | 128;
      value >>>= 7;
    }
    bytes[at++] = value;
    this.at = at;
  }

  /** A whole number of 32 bits; negative ones take ten bytes. */
  int32(value: number): void {
    if (value >= 0) this.uint32(value);
    else this.varint64(value >>> 0, 0xffffffff);
  }

  /** A number of 64 bits by its halves, both without a sign. */
  varint64(low: number, high: number): void {
    if (this.at + 10 > this.bytes.length) this.grow(10);
    let { at } = this;
    const { bytes } = this;
    while (high > 0) {
      bytes[at++] = (low & 127) | 128;
      low = ((low >>> 7) | (high << 25)) >>> 0;
      high >>>= 7;
    }
    while (low > 127) {
      bytes[at++] = (low & 127) | 128;
      low >>>= 7;
    }
    bytes[at++] = low;
    this.at = at;
  }

  /** Four bytes. */
  fixed32(value: number): void {
    if (this.at + 4 > this.bytes.length) this.grow(4);
    this.at = this.bytes.writeUInt32LE(value >>> 0, this.at);
  }

  /** Eight bytes of a whole number, by its halves. */
  fixed64(low: number, high: number): void {
    this.fixed32(low);
    this.fixed32(high);
  }

  float(value: number): void {
    if (this.at + 4 > this.bytes.length) this.grow(4);
    this.at = this.bytes.writeFloatLE(value, this.at);
  }

  double(value: number): void {
    if (this.at + 8 > this.bytes.length) this.grow(8);
    this.at = this.bytes.writeDoubleLE(value, this.at);
  }

  /** Text with its length. A surrogate without its partner becomes U+FFFD, for UTF-8 has none. */
  string(text: string): void {
    const { length } = text;
    if (length < SHORT) {
      if (this.at + 1 + length * 3 > this.bytes.length) this.grow(1 + length * 3);
      if (this.ascii(text)) return;
    }
    const size = Buffer.byteLength(text);
    this.uint32(size);
    if (this.at + size > this.bytes.length) this.grow(size);
    this.at += this.bytes.write(text, this.at, size, "utf8");
  }

  /** Bytes from base64, either alphabet, with their length; false, and nothing usable written, where the text is no base64. */
  base64(text: string): boolean {
    const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
    const digits = text.length - padding;
    const size = Math.floor((digits * 3) / 4);
    this.uint32(size);
    if (this.at + size > this.bytes.length) this.grow(size);
    // What is no base64 is skipped by the decoder: then there are fewer bytes than the text is long for.
    const written = this.bytes.write(text, this.at, size, "base64");
    this.at += written;
    return written === size && digits % 4 !== 1;
  }

  /** Begins a part whose length stands before it; what it returns is for `end`. */
  begin(): number {
    if (this.at + 1 > this.bytes.length) this.grow(1);
    this.at += 1;
    return this.at;
  }

  /** Ends the part that began there: its length goes before it. */
  end(start: number): void {
    const size = this.at - start;
    if (size < 128) {
      this.bytes[start - 1] = size;
      return;
    }
    const more = size < 1 << 14 ? 1 : size < 1 << 21 ? 2 : size < 1 << 28 ? 3 : 4;
    if (this.at + more > this.bytes.length) this.grow(more);
    this.bytes.copyWithin(start + more, start, this.at);
    const end = this.at + more;
    this.at = start - 1;
    this.uint32(size);
    this.at = end;
  }

  /** A short text, where it is plain ASCII; else nothing is written. */
  private ascii(text: string): boolean {
    const { bytes } = this;
    const { length } = text;
    let at = this.at + 1;
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      if (code > 127) return false;
      bytes[at++] = code;
    }
    bytes[this.at] = length;
    this.at = at;
    return true;
  }

  private grow(need: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.at + need));
    this.bytes.copy(bytes, 0, 0, this.at);
    this.bytes = bytes;
  }
}
