import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { A2A } from "../../generated/v1.0/index.js";
import { listen, type Listening } from "../../src/adapter/node-listen.js";
import type { HttpHandler } from "../../src/http/types.js";
import { createRouter, type Handlers, type RouterOptions } from "../../src/server/router.js";

export type V1Handlers = Handlers<typeof A2A>;

/** A task as the handlers of these tests answer it. */
export const task = (id: string) =>
  ({ id, contextId: "c1", status: { state: "TASK_STATE_WORKING" } }) as const;

/** A send request with one text part. */
export const send = (text = "hi", extra: object = {}) => ({
  message: { messageId: "m1", role: "ROLE_USER", parts: [{ text }], ...extra },
});

/** Lines that a server logged. */
export interface Logged {
  readonly message: string;
  readonly details: unknown;
}

/** A 1.0 router on a socket; its log is collected. */
export async function serve(
  handlers: V1Handlers,
  options: RouterOptions = {},
): Promise<Listening & { readonly log: Logged[] }> {
  const log: Logged[] = [];
  const logger = { error: (message: string, details: unknown) => void log.push({ message, details }) };
  const router = createRouter(A2A, handlers, { logger, ...options });
  return Object.assign(await listen(router.handle), { log });
}

/** A handler on a socket. */
export const serveHandle = (handle: HttpHandler): Promise<Listening> => listen(handle);

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Parsed body; undefined where it is no JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into JSON of every shape
  readonly json: any;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** Text or bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
}

/** One request exactly as stated: no header is added but Host, Connection and the length of a body. */
export function ask(server: { readonly port: number }, path: string, options: Ask = {}): Promise<Answer> {
  const { method = "GET", headers = {}, body } = options;
  const bytes =
    body === undefined || typeof body === "string" || body instanceof Uint8Array
      ? body
      : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const length = bytes === undefined ? {} : { "content-length": String(Buffer.byteLength(bytes)) };
    const req = httpRequest(
      {
        host: "127.0.0.1",
        port: server.port,
        path,
        method,
        headers: { ...length, ...headers },
        agent: false,
      },
      (res) => {
        const chunks: Buffer[] = [];
        res.on("data", (chunk: Buffer) => chunks.push(chunk));
        res.on("error", reject);
        res.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({ status: res.statusCode ?? 0, headers: res.headers, text, json: parse(text) });
        });
      },
    );
    req.on("error", reject);
    req.end(bytes);
  });
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Headers of a well-behaved 1.0 client. */
export const v1 = { "a2a-version": "1.0", "content-type": "application/json" };

/** One JSON-RPC call over HTTP. */
export const rpc = (
  server: { readonly port: number },
  method: string,
  params?: unknown,
  headers: Record<string, string> = v1,
): Promise<Answer> =>
  ask(server, "/", { method: "POST", headers, body: { jsonrpc: "2.0", id: 1, method, params } });

/** The `data:` payloads of an SSE body, parsed, and its ids. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into JSON of every shape
export const eventsOf = (text: string): { id?: string; data: any }[] =>
  text
    .split("\n\n")
    .filter((block) => block.includes("data:"))
    .map((block) => {
      const id = /^id: (.*)$/m.exec(block)?.[1];
      const data = JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? "null");
      return id === undefined ? { data } : { id, data };
    });

/** A raw connection: what is written goes out byte for byte. */
export async function raw(server: { readonly port: number }): Promise<Socket> {
  const socket = connect(server.port, "127.0.0.1");
  await once(socket, "connect");
  return socket;
}

/** Everything a socket receives until it ends. */
export async function drain(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  // Not `once`, which rejects at a reset that the caller may expect.
  await new Promise((resolve) => socket.on("close", resolve));
  return Buffer.concat(chunks).toString("utf8");
}

/** A promise with its handles. */
export function deferred<T = void>(): { promise: Promise<T>; resolve(value: T): void } {
  let settle: ((value: T) => void) | undefined;
  const promise = new Promise<T>((resolve) => (settle = resolve));
  return { promise, resolve: (value) => settle?.(value) };
}

/** A status update that carries a text. */
export const status = (text: string) => ({
  statusUpdate: {
    taskId: "t",
    contextId: "c1",
    status: { state: "TASK_STATE_WORKING" as const },
    metadata: { text },
  },
});

/** Opens an HTTP+JSON stream and hands over the response before its end. */
export async function open(server: { readonly port: number }): Promise<IncomingMessage> {
  const options = { port: server.port, path: "/message:stream", method: "POST", headers: v1, agent: false };
  const request = httpRequest(options);
  request.end(JSON.stringify(send()));
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return response;
}
