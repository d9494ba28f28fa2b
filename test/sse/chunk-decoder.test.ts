import fc from "fast-check";
import { expect, it } from "vitest";
import { chunkDecoder } from "../../src/sse/chunk-decoder.js";

/** Bytes of characters and of the mark, whole and in pieces, and others; many chunks end between characters. */
const chunk = fc
  .array(
    fc.constantFrom(
      [0x41],
      [0x0a],
      [0xef, 0xbb, 0xbf],
      [0xef],
      [0xbb, 0xbf],
      [0xc3, 0xa9],
      [0xc3],
      [0xf0, 0x9f],
      [0x98, 0x80],
      [0xff],
    ),
    { maxLength: 5 },
  )
  .map((bytes) => Uint8Array.from(bytes.flat()));

it("gives for chunks what they are together, broken characters and marks included", () => {
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 9 }), (chunks) => {
      const decode = chunkDecoder();
      const streaming = new TextDecoder();
      expect(chunks.map(decode)).toEqual(chunks.map((one) => streaming.decode(one, { stream: true })));
    }),
    { numRuns: 5000 },
  );
});
