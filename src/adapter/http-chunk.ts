import { OutgoingMessage } from "node:http";
import type { ResponseSink } from "./node-write.js";

let last = "";
let framed = "";
let bytes: Uint8Array | undefined;

/**
 * A text as one chunk of HTTP/1.1. Where many responses are given the same text one after the other, they share its
 * bytes. Not for an empty text: that chunk is the end.
 */
export function httpChunk(text: string): string | Uint8Array {
  if (text === last) return (bytes ??= Buffer.from(framed));
  last = text;
  framed = `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
  bytes = undefined;
  return framed;
}

/** The chunk that ends a response. */
export const LAST_CHUNK = "0\r\n\r\n";

/**
 * Whether the chunks of a response whose head is written are to be made here: Node makes four writes of each. It is told to
 * make none then. Not where somebody stands in between, a compression for one, or where there are no chunks.
 */
export function takesChunks(sink: ResponseSink): boolean {
  const { prototype } = OutgoingMessage;
  if (sink.chunkedEncoding !== true || sink.write !== prototype.write || sink.end !== prototype.end)
    return false;
  sink.chunkedEncoding = false;
  return true;
}
