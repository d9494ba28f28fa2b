/**
 * Decodes UTF-8 that comes in chunks, which may end inside a character; a byte order mark at the start is dropped. Chunks
 * that start and end between characters, as nearly all do, are decoded on their own: several times as fast in Node.
 */
export function chunkDecoder(): (chunk: Uint8Array) => string {
  const streaming = new TextDecoder();
  // Behind the start, the mark is a character as any other.
  const whole = new TextDecoder("utf-8", { ignoreBOM: true });
  let between = false;
  return (chunk) => {
    const last = chunk.at(-1);
    if (last === undefined) return "";
    const starts = between;
    between = last < 0x80;
    return starts && between ? whole.decode(chunk) : streaming.decode(chunk, { stream: true });
  };
}
