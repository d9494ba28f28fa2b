import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";

/** One request as it came over a socket. */
export interface RawRequest {
  readonly head: string;
  readonly body: string;
  /** Of the JSON-RPC call. */
  readonly id: unknown;
  readonly method: string;
  readonly lastEventId: string | undefined;
  /** How many came before this one. */
  readonly index: number;
  readonly socket: Socket;
}

/** Writes whatever it wants to the socket. */
export type Behaviour = (request: RawRequest) => void;

/** A server that writes bytes as a test says, and counts its sockets. */
export interface RawServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: RawRequest[];
  /** Sockets that are open. */
  readonly open: number;
  /** Resolves once none is. */
  idle(): Promise<void>;
}

/** Starts a server on a free port of the loopback address. */
export async function misbehave(behaviour: Behaviour): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const requests: RawRequest[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    let text = "";
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      for (;;) {
        const end = text.indexOf("\r\n\r\n");
        if (end < 0) return;
        const head = text.slice(0, end);
        const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
        if (text.length < end + 4 + length) return;
        const body = text.slice(end + 4, end + 4 + length);
        text = text.slice(end + 4 + length);
        const { id, method = "" } = (body === "" ? {} : JSON.parse(body)) as {
          id?: unknown;
          method?: string;
        };
        const lastEventId = /^last-event-id: (.*)$/im.exec(head)?.[1];
        const request = { head, body, id, method, lastEventId, index: requests.length, socket };
        requests.push(request);
        behaviour(request);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}/`,
    requests,
    get open() {
      return sockets.size;
    },
    async idle() {
      const gone = (socket: Socket): Promise<unknown> => new Promise((done) => socket.once("close", done));
      while (sockets.size > 0) await Promise.all([...sockets].map(gone));
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A reply with its length, after which the connection ends. */
export function http(
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
  status = "200 OK",
): Buffer {
  const bytes = Buffer.from(body);
  const all = {
    "content-type": "application/json",
    "content-length": String(bytes.length),
    connection: "close",
    ...headers,
  };
  return Buffer.concat([Buffer.from(head(all, status)), bytes]);
}

/** Status line and headers. */
export const head = (headers: Readonly<Record<string, string>>, status = "200 OK"): string =>
  `HTTP/1.1 ${status}\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;

/** A stream with these bytes; `end` closes the connection after them. */
export function stream(socket: Socket, bytes: string | Buffer, end = true, type = "text/event-stream"): void {
  socket.write(head({ "content-type": type, connection: "close" }));
  socket.write(bytes);
  if (end) socket.end();
}
