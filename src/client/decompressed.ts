import type { ByteReader } from "./fetch-like.js";

/** More codings on top of each other than a reply has for a reason. */
const MOST_CODINGS = 5;

/**
 * The bytes that `reader` gives in the content codings of a reply, as Node's `fetch` undoes them: `gzip`, `deflate` (also
 * without its header) and `br`, of which what has come can be read at once. Where another is among them, or more than
 * five, the bytes are left as they are. For Node only.
 */
export function decompressed(reader: ByteReader, contentEncoding: string | null): ByteReader {
  const codings = (contentEncoding ?? "")
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length > MOST_CODINGS || !codings.every((coding) => /^((x-)?gzip|deflate|br)$/.test(coding)))
    return reader;
  return codings.reduceRight(decoded, reader);
}

function decoded(source: ByteReader, coding: string): ByteReader {
  let opened: Promise<Decoder | undefined> | undefined;
  let canceled = false;

  async function open(): Promise<Decoder | undefined> {
    const { value } = await source.read();
    // A reply without a body says no less of its coding.
    if (value === undefined || canceled) return undefined;
    const decoder = decoderOf(coding, value);
    const { pipeline, Readable } = process.getBuiltinModule("node:stream");
    // Who reads is told of failures; the pipeline ends only once the source has.
    pipeline(Readable.from(chunksFrom(value, source)), decoder, () => undefined);
    return { decoder, chunks: decoder[Symbol.asyncIterator]() };
  }

  return {
    async read() {
      try {
        opened ??= open();
        const step = await (await opened)?.chunks.next();
        return step === undefined || step.done === true
          ? { done: true }
          : { done: false, value: step.value as Uint8Array };
      } catch (error) {
        if (canceled) return { done: true };
        void source.cancel(error);
        throw error;
      }
    },
    async cancel(reason) {
      canceled = true;
      await source.cancel(reason);
      (await opened?.catch(() => undefined))?.decoder.destroy();
    },
  };
}

interface Decoder {
  readonly decoder: ReturnType<typeof decoderOf>;
  readonly chunks: AsyncIterator<unknown>;
}

async function* chunksFrom(first: Uint8Array, source: ByteReader): AsyncGenerator<Uint8Array> {
  yield first;
  for (;;) {
    const { value } = await source.read();
    if (value === undefined) return;
    yield value;
  }
}

/** What comes is decoded as far as it goes, and a text that ends too early is as long as it is: so does `fetch`. */
function decoderOf(coding: string, [head = 0]: Uint8Array) {
  // Not imported: bundles for browsers have this file too.
  const zlib = process.getBuiltinModule("node:zlib");
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
  const lenient = { flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH };
  if (coding === "br")
    return zlib.createBrotliDecompress({
      flush: BROTLI_OPERATION_FLUSH,
      finishFlush: BROTLI_OPERATION_FLUSH,
    });
  if (coding !== "deflate") return zlib.createGunzip(lenient);
  // The low half of the first byte of zlib's header is 8; without one there is but the deflated text.
  return (head & 15) === 8 ? zlib.createInflate(lenient) : zlib.createInflateRaw(lenient);
}
