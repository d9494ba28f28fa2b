import type { ByteReader } from "./fetch-like.js";

/** The bytes that `reader` gives in a content coding: `gzip` or `deflate`; those of any other are left as they are. */
export function decompressed(reader: ByteReader, coding: string | null): ByteReader {
  const [, format] = /^\s*(?:x-)?(gzip|deflate)\s*$/i.exec(coding ?? "") ?? [];
  if (format === undefined) return reader;
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else if (value) controller.enqueue(new Uint8Array(value));
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return source.pipeThrough(new DecompressionStream(format.toLowerCase() as CompressionFormat)).getReader();
}
