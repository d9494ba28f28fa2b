import { createServer, STATUS_CODES, type Server } from "node:http";
import type { Duplex } from "node:stream";
import type { HttpHandler } from "../http/types.js";
import { createNodeHandler, type NodeHandlerOptions } from "./node.js";
import { notListening } from "./not-listening.js";
import { WholeRequest } from "./whole-request.js";

/** Where to listen. */
export interface ListenOptions extends NodeHandlerOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default `127.0.0.1`. */
  readonly host?: string;
}

/** A listening server. */
export interface Listening extends AsyncDisposable {
  /** Origin, without a trailing slash: `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /** Stops listening and closes idle connections; those with requests go on. */
  stop(): void;
  /** Stops listening, waits up to `graceMs` (default 1000) for open requests, then cuts their connections. */
  close(graceMs?: number): Promise<void>;
}

/** Serves a handler over `node:http`; rejects with `CONFIG` where the address cannot be had. */
export async function listen(handle: HttpHandler, options: ListenOptions = {}): Promise<Listening> {
  const { port = 0, host = "127.0.0.1" } = options;
  const answer = createNodeHandler(handle, options);
  // Node would refuse an expectation that it does not know with an empty 417; it may as well be passed over.
  const server = createServer(isNode ? { IncomingMessage: WholeRequest } : {}, answer)
    .on("clientError", refuseClient)
    .on("checkExpectation", answer);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  }).catch((error: unknown) => {
    throw notListening(error, host, port);
  });
  const address = server.address();
  const actual = typeof address === "object" && address !== null ? address.port : port;
  let closed: Promise<void> | undefined;
  const stop = (): Promise<void> => (closed ??= closedOnce(server));
  const close = async (graceMs = 1000): Promise<void> => {
    const gone = stop();
    // Connections that wait for a further request are not told that there will be none.
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS);
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    server.closeIdleConnections();
    await gone;
    clearInterval(idle);
    clearTimeout(timer);
  };
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${String(actual)}`,
    port: actual,
    server,
    stop: () => void stop(),
    close,
    [Symbol.asyncDispose]: () => close(),
  };
}

/** Elsewhere `node:http` is another, whose requests take their bodies when they are read. */
const isNode = !("bun" in process.versions || "deno" in process.versions);

/** Milliseconds between looks at connections that became idle while a server closes. */
const IDLE_LOOK_MS = 20;

const closedOnce = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
  });

const clientStatus: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** What Node cannot parse is refused in JSON too, by hand: there is no response object yet. */
const refuseClient = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = clientStatus[error.code ?? ""] ?? 400;
  const message = STATUS_CODES[code] ?? "Bad Request";
  const body = JSON.stringify({ error: { code, status: "INVALID_ARGUMENT", message } });
  socket.end(
    `HTTP/1.1 ${String(code)} ${message}\r\nContent-Type: application/json\r\n` +
      "X-Content-Type-Options: nosniff\r\n" +
      `Content-Length: ${String(body.length)}\r\nConnection: close\r\n\r\n${body}`,
  );
};
