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

/**
 * The next chunk is pulled only when the socket has taken the last; a disconnect ends the source at once. Callbacks, since
 * the frame of an async function would hold the last chunk as long as it waits for the next.
 */
const pump = (sink: ResponseSink, source: AsyncIterator<string, unknown>): Promise<void> =>
  new Promise((resolve, reject) => {
    let closed = sink.destroyed === true;
    let blocked = false;
    const fail = (thrown: unknown): void =>
      reject(thrown instanceof Error ? thrown : new Error("The source failed", { cause: thrown }));
    const pull = (): void => {
      blocked = false;
      // A source may throw instead of rejecting.
      try {
        source.next().then(take, fail);
      } catch (error) {
        fail(error);
      }
    };
    const take = ({ done, value }: IteratorResult<string, unknown>): void => {
      try {
        if (done === true || closed) {
          sink.end();
          resolve();
        } else if (sink.write(value)) pull();
        else blocked = true;
      } catch (error) {
        fail(error);
      }
    };
    sink.on("drain", () => {
      if (blocked) pull();
    });
    sink.on("close", () => {
      closed = true;
      if (!sink.writableEnded) void source.return?.();
      if (blocked) pull();
    });
    if (closed) void source.return?.();
    pull();
  });
