import { bodyQueue } from "./body-queue.js";
import { decompressed } from "./decompressed.js";
import type { ByteReader, FetchInit, FetchResponse } from "./fetch-like.js";

/** A connection pool of undici, of whatever release: what its `fetch` uses of it. */
export interface Dispatcher {
  dispatch(options: DispatchOptions, handler: DispatchHandler): boolean;
}

interface DispatchOptions {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
}

interface DispatchHandler {
  onConnect(abort: (reason?: Error) => void): void;
  onHeaders(
    status: number,
    headers: readonly (HeaderText | readonly HeaderText[])[],
    resume: () => void,
  ): boolean;
  onData(chunk: Uint8Array): boolean;
  onComplete(): void;
  onError(error: Error): void;
}

/** A name or a value, in turn. */
interface HeaderText {
  toString(encoding: "latin1"): string;
}

/**
 * `fetch` over a pool without the streams of the web, which cost more than all else that an event of a stream passes.
 * Waiting is limited by the signal alone. Rejects with the error of the network itself, or the reason of the signal.
 * What is not plain HTTP is left to `fetch`: other schemes, which need no pool, and URLs with credentials, which it refuses.
 */
export async function dispatchFetch(
  dispatcher: Dispatcher,
  url: string,
  init: FetchInit,
): Promise<FetchResponse> {
  const { method, headers, body = null, signal } = init;
  const { protocol, origin, pathname, search, username, password } = new URL(url);
  if (!/^https?:$/.test(protocol) || username || password) return fetch(url, init);
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    let abort: ((reason: Error) => void) | undefined;
    let resume = (): void => undefined;
    const end = (error: Error): void => {
      reject(error);
      bytes.fail(error);
      abort?.(error);
    };
    const aborted = (): void => {
      end(signal.reason as Error);
    };
    signal.addEventListener("abort", aborted);
    const unwatch = (): void => {
      signal.removeEventListener("abort", aborted);
    };
    const bytes = bodyQueue(
      () => {
        resume();
      },
      (reason) => {
        unwatch();
        end(reason as Error);
      },
    );
    const handler: DispatchHandler = {
      onConnect(stop) {
        abort = stop;
        if (signal.aborted) stop(signal.reason as Error);
      },
      onHeaders(status, raw, go) {
        // 1xx: the reply is still to come.
        if (status < 200) return true;
        resume = go;
        const received = readHeaders(raw);
        const reader = decompressed(bytes, received.get("content-encoding"));
        resolve({
          status,
          headers: received,
          body: { getReader: () => reader },
          text: () => textFrom(reader),
        });
        return true;
      },
      onData: bytes.push,
      onComplete() {
        unwatch();
        bytes.end();
      },
      onError(error) {
        unwatch();
        abort = undefined;
        end(error);
      },
    };
    dispatcher.dispatch(
      {
        origin,
        path: pathname + search,
        method,
        headers: {
          "user-agent": "node",
          "accept-encoding": protocol === "https:" ? "br, gzip, deflate" : "gzip, deflate",
          ...headers,
        },
        body,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      handler,
    );
  });
}

/** Names in lower case; what came several times is joined, as `fetch` does. */
function readHeaders(
  raw: readonly (HeaderText | readonly HeaderText[])[],
): FetchResponse["headers"] & { get(name: string): string | null } {
  const values = new Map<string, string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = latin1(raw[index]).toLowerCase();
    const value = latin1(raw[index + 1]);
    const before = values.get(name);
    values.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return {
    get: (name) => values.get(name.toLowerCase()) ?? null,
    [Symbol.iterator]: () => values.entries(),
  };
}

/** Pools behind an interceptor give the values of one name together. */
const latin1 = (header: HeaderText | readonly HeaderText[] = ""): string =>
  Array.isArray(header) ? header.map(latin1).join(", ") : header.toString("latin1");

async function textFrom(reader: ByteReader): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
  }
}
