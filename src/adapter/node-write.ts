import type { ServerResponse } from "node:http";
import type { Headers } from "../call.js";
import { growable } from "../growable.js";
import type { HttpResponse } from "../http/types.js";
import { isPlain } from "./is-plain.js";
import { NodePump } from "./node-pump.js";

/** The part of `ServerResponse` and `Http2ServerResponse` that writing needs. */
export interface ResponseSink {
  readonly headersSent: boolean;
  /** True once `end` was called; `writableFinished` is also true of an aborted stream of http2. */
  readonly writableEnded: boolean;
  readonly destroyed?: boolean;
  /** Of HTTP/1.1: whether what is written is put into chunks. */
  chunkedEncoding?: boolean;
  writeHead(status: number, headers: Record<string, string | number>): unknown;
  write(chunk: string | Uint8Array): boolean;
  end(): unknown;
  // eslint-disable-next-line @typescript-eslint/unified-signatures -- `string | undefined` would be a callback in http2
  end(chunk: string): unknown;
  on(event: "close" | "drain" | "error", listener: () => void): unknown;
  destroy?(): unknown;
}

/**
 * Writes a response: a text at once, a stream chunk by chunk. What moves the stream is returned, to be told when the client
 * goes away; `onEnd` is called when it has ended.
 */
export function writeNodeResponse(
  sink: ResponseSink,
  { status, headers, body }: HttpResponse,
  onEnd?: () => void,
): NodePump | undefined {
  if (typeof body !== "string") return writeStream(sink, status, headers, body, onEnd);
  // 204 and 304 have no body; HEAD brings the length of the one it leaves out.
  const bare = status === 204 || status === 304;
  if (isPlain(sink)) writePlain(sink, status, headers, body, bare);
  else {
    const all: Record<string, string | number> = growable(headers);
    if (!bare) all["content-length"] ??= Buffer.byteLength(body);
    sink.writeHead(status, all);
    sink.end(body);
  }
  return undefined;
}

function writePlain(
  response: ServerResponse,
  status: number,
  headers: Headers,
  body: string,
  bare: boolean,
): void {
  const flat: (string | number)[] = [];
  for (const name in headers) flat.push(name, headers[name] ?? "");
  if (!bare && headers["content-length"] === undefined) flat.push("content-length", Buffer.byteLength(body));
  response.writeHead(status, flat);
  const { socket } = response;
  if (socket === null || body === "") response.end(body);
  else {
    // One write: `end(body)` would add an empty one, and the system be given a list.
    socket.cork();
    response.write(body);
    socket.uncork();
    response.end();
  }
}

function writeStream(
  sink: ResponseSink,
  status: number,
  headers: Headers,
  body: AsyncIterable<string>,
  onEnd: (() => void) | undefined,
): NodePump {
  try {
    sink.writeHead(status, headers);
  } catch (error) {
    void body[Symbol.asyncIterator]().return?.();
    throw error;
  }
  const pump = new NodePump(sink, body, onEnd);
  pump.start();
  return pump;
}
