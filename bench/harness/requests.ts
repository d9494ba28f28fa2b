import { request, type Agent } from "node:http";
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
/** The same in the ProtoJSON of 0.3, which its HTTP+JSON speaks. */
const legacyProtoMessage = (text: string) => ({ messageId: "m-1", role: "ROLE_USER", content: [{ text }] });

const rpc = (server: ServerProcess, method: string, params: unknown, version = "1.0"): BenchRequest => ({
  method: "POST",
  path: server.rpcPath,
  headers: { "content-type": "application/json", "a2a-version": version },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
});

const rest = (
  server: ServerProcess,
  method: "GET" | "POST",
  path: string,
  body?: unknown,
  version = "1.0",
): BenchRequest => ({
  method,
  path: server.restPath + path,
  headers: { "a2a-version": version, ...(body !== undefined && { "content-type": "application/json" }) },
  ...(body !== undefined && { body: JSON.stringify(body) }),
});

const TEXT = "hello world";

/** A plain message. */
export const sendRequest = (server: ServerProcess, binding: Binding): BenchRequest =>
  binding === "JSON-RPC"
    ? rpc(server, "SendMessage", { message: message(TEXT) })
    : rest(server, "POST", "/message:send", { message: message(TEXT) });

/** A plain message of 0.3 or 0.2. */
export const legacySendRequest = (
  server: ServerProcess,
  version: string,
  binding: Binding = "JSON-RPC",
): BenchRequest =>
  binding === "JSON-RPC"
    ? rpc(server, "message/send", { message: legacyMessage(TEXT) }, version)
    : rest(server, "POST", "/v1/message:send", { message: legacyProtoMessage(TEXT) }, version);

/** The task of this id. */
export const getRequest = (server: ServerProcess, binding: Binding, id: string): BenchRequest =>
  binding === "JSON-RPC"
    ? rpc(server, "GetTask", { id })
    : rest(server, "GET", `/tasks/${encodeURIComponent(id)}`);

/** The same in 0.3. */
export const legacyGetRequest = (server: ServerProcess, binding: Binding, id: string): BenchRequest =>
  binding === "JSON-RPC"
    ? rpc(server, "tasks/get", { id }, "0.3")
    : rest(server, "GET", `/v1/tasks/${encodeURIComponent(id)}`, undefined, "0.3");

/** A stream of that many chunks, or of as many artifacts. */
export const streamRequest = (
  server: ServerProcess,
  chunks: number,
  { distinct = false, binding = "JSON-RPC" }: { distinct?: boolean; binding?: Binding } = {},
): BenchRequest => {
  const params = { message: message(`stream:${String(chunks)}${distinct ? ":distinct" : ""}`) };
  const sent =
    binding === "JSON-RPC"
      ? rpc(server, "SendStreamingMessage", params)
      : rest(server, "POST", "/message:stream", params);
  return { ...sent, headers: { ...sent.headers, accept: "text/event-stream" } };
};

/** Starts the task that goes on. */
export const talkRequest = (server: ServerProcess): BenchRequest =>
  rpc(server, "SendMessage", { message: message("talk"), configuration: { returnImmediately: true } });

/** Follows a task. */
export const subscribeRequest = (server: ServerProcess, id: string): BenchRequest => {
  const sent = rpc(server, "SubscribeToTask", { id });
  return { ...sent, headers: { ...sent.headers, accept: "text/event-stream" } };
};

/** Sends one request and returns its status; `onText` sees the body as it comes. */
export const exchange = (
  server: ServerProcess,
  { method, path, headers, body }: BenchRequest,
  onText: (text: string) => void,
  agent: Agent | false = false,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port: server.port, method, path, headers, agent };
    const sent = request(options, (response) => {
      response.setEncoding("latin1");
      response.on("data", onText);
      response.on("end", () => resolve(response.statusCode ?? 0));
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });

/** Sends one request and returns the value that it is answered with; anything but 2xx is an error. */
export async function answerTo(server: ServerProcess, sent: BenchRequest): Promise<unknown> {
  let body = "";
  const status = await exchange(server, sent, (text) => (body += text));
  if (status < 200 || status > 299) throw new Error(`${server.name} answered ${String(status)}: ${body}`);
  return JSON.parse(body);
}
