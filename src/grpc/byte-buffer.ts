/** Bytes as the package takes them: the same memory as a `Buffer`. */
export const byteBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
