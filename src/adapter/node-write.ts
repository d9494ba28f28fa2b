import type { Headers } from "../call.js";
import type { HttpResponse } from "../http/types.js";

/** The part of `ServerResponse` and `Http2ServerResponse` that writing needs. */
export interface ResponseSink {
  readonly headersSent: boolean;
  /** True once `end` was called; `writableFinished` is also true of an aborted stream of http2. */
  readonly writableEnded: boolean;
  readonly destroyed?: boolean;
  writeHead(status: number, headers: Record<string, string | number>): unknown;
  write(chunk: string): boolean;
  end(): unknown;
  // eslint-disable-next-line @typescript-eslint/unified-signatures -- `string | undefined` would be a callback in http2
  end(chunk: string): unknown;
  on(event: "close" | "drain" | "error", listener: () => void): unknown;
  destroy?(): unknown;
}

/** Writes a response: a text at once, a stream chunk by chunk until the promise resolves. */
export function writeNodeResponse(
  sink: ResponseSink,
  { status, headers, body }: HttpResponse,
): Promise<void> | undefined {
  if (typeof body !== "string") return writeStream(sink, status, headers, body[Symbol.asyncIterator]());
  // 204 and 304 have no body; HEAD brings the length of the one it leaves out.
  if (status === 204 || status === 304) sink.writeHead(status, headers);
  else sink.writeHead(status, { "content-length": Buffer.byteLength(body), ...headers });
  sink.end(body);
  return undefined;
}

const writeStream = async (
  sink: ResponseSink,
  status: number,
  headers: Headers,
  source: AsyncIterator<string, unknown>,
): Promise<void> => {
  try {
    sink.writeHead(status, headers);
    await pump(sink, source);
  } catch (error) {
    void source.return?.();
    throw error;
  }
};

/** The next chunk is pulled only when the socket has taken the last; a disconnect ends the source at once. */
const pump = async (sink: ResponseSink, source: AsyncIterator<string, unknown>): Promise<void> => {
  const state = { closed: sink.destroyed === true };
  let wake: (() => void) | undefined;
  sink.on("drain", () => wake?.());
  sink.on("close", () => {
    state.closed = true;
    wake?.();
    if (!sink.writableEnded) void source.return?.();
  });
  if (state.closed) void source.return?.();
  for (;;) {
    const { done, value } = await source.next();
    if (done === true || state.closed) break;
    if (!sink.write(value)) {
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (state.closed) resolve();
      });
      wake = undefined;
    }
  }
  sink.end();
};
