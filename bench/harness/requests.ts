import { request } from "node:http";
import type { ServerProcess } from "./server-process.js";

/** The two bindings under load. */
export type Binding = "JSON-RPC" | "HTTP+JSON";

/** A request as the load generator repeats it. */
export interface BenchRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

const message = (text: string) => ({ messageId: "m-1", role: "ROLE_USER", parts: [{ text }] });
/** The same in 0.x. */
const legacyMessage = (text: string) => ({
  kind: "message",
  messageId: "m-1",
  role: "user",
  parts: [{ kind: "text", text }],
});

const rpc = (server: ServerProcess, method: string, params: unknown, version = "1.0"): BenchRequest => ({
  method: "POST",
  path: server.rpcPath,
  headers: { "content-type": "application/json", "a2a-version": version },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
});

const rest = (server: ServerProcess, method: "GET" | "POST", path: string, body?: unknown): BenchRequest => ({
  method,
  path: server.restPath + path,
  headers: { "a2a-version": "1.0", ...(body !== undefined && { "content-type": "application/json" }) },
  ...(body !== undefined && { body: JSON.stringify(body) }),
});

/** A plain message. */
export const sendRequest = (server: ServerProcess, binding: Binding): BenchRequest =>
  binding === "JSON-RPC"
    ? rpc(server, "SendMessage", { message: message("hello world") })
    : rest(server, "POST", "/message:send", { message: message("hello world") });

/** A plain message of 0.3 or 0.2, over JSON-RPC. */
export const legacySendRequest = (server: ServerProcess, version: string): BenchRequest =>
  rpc(server, "message/send", { message: legacyMessage("hello world") }, version);

/** The task of this id. */
export const getRequest = (server: ServerProcess, binding: Binding, id: string): BenchRequest =>
  binding === "JSON-RPC"
    ? rpc(server, "GetTask", { id })
    : rest(server, "GET", `/tasks/${encodeURIComponent(id)}`);

/** A stream of that many chunks, over JSON-RPC. */
export const streamRequest = (server: ServerProcess, chunks: number): BenchRequest => {
  const sent = rpc(server, "SendStreamingMessage", { message: message(`stream:${chunks}`) });
  return { ...sent, headers: { ...sent.headers, accept: "text/event-stream" } };
};

/** Sends one request and returns status and body; `onText` sees the body as it comes. */
export const exchange = (
  server: ServerProcess,
  { method, path, headers, body }: BenchRequest,
  onText: (text: string) => void,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port: server.port, method, path, headers }, (response) => {
      response.setEncoding("latin1");
      response.on("data", onText);
      response.on("end", () => resolve(response.statusCode ?? 0));
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
