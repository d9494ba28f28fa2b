import { createServer, type Server } from "node:http";
import type { HttpHandler } from "../http/types.js";
import { createNodeHandler, type NodeHandlerOptions } from "./node.js";

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
  /** Stops listening, waits up to `graceMs` (default 1000) for open requests, then cuts their connections. */
  close(graceMs?: number): Promise<void>;
}

/** Serves a handler over `node:http`; rejects where the address cannot be had. */
export async function listen(handle: HttpHandler, options: ListenOptions = {}): Promise<Listening> {
  const { port = 0, host = "127.0.0.1" } = options;
  const server = createServer(createNodeHandler(handle, options));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address = server.address();
  const actual = typeof address === "object" && address !== null ? address.port : port;
  const close = (graceMs = 1000): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      server.close(() => {
        clearTimeout(timer);
        resolve();
      });
      server.closeIdleConnections();
    });
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${String(actual)}`,
    port: actual,
    server,
    close,
    [Symbol.asyncDispose]: () => close(),
  };
}
