/** Registrations over the wire of either binding, byte for byte what the specification says. */
import { serve, type Agent, type RunningServer, type ServeOptions } from "../../src/server.js";
import { quiet } from "../server/agents.js";
import { ask, type Answer } from "../rpc/support.js";

export type BindingName = "JSONRPC" | "HTTP+JSON";
export const bindings: readonly BindingName[] = ["JSONRPC", "HTTP+JSON"];

/** What came of one call: the result, or the error with its code (JSON-RPC) or status (HTTP+JSON). */
export interface Outcome {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into JSON of every shape
  readonly result?: any;
  readonly error?: { readonly code: number; readonly text: string };
}

/** Calls methods of 1.0 by their name in JSON-RPC. */
export type Caller = (method: string, params: object, headers?: Record<string, string>) => Promise<Outcome>;

/** How each operation goes over HTTP+JSON. */
const routes: Record<string, (params: Record<string, unknown>) => readonly [verb: string, path: string]> = {
  SendMessage: () => ["POST", "/message:send"],
  SendStreamingMessage: () => ["POST", "/message:stream"],
  GetTask: ({ id }) => ["GET", `/tasks/${String(id)}`],
  CreateTaskPushNotificationConfig: ({ taskId }) => [
    "POST",
    `/tasks/${String(taskId)}/pushNotificationConfigs`,
  ],
  GetTaskPushNotificationConfig: ({ taskId, id }) => [
    "GET",
    `/tasks/${String(taskId)}/pushNotificationConfigs/${String(id)}`,
  ],
  DeleteTaskPushNotificationConfig: ({ taskId, id }) => [
    "DELETE",
    `/tasks/${String(taskId)}/pushNotificationConfigs/${String(id)}`,
  ],
  ListTaskPushNotificationConfigs: ({ taskId, ...query }) => [
    "GET",
    `/tasks/${String(taskId)}/pushNotificationConfigs?${String(new URLSearchParams(query as Record<string, string>))}`,
  ],
};

/** An agent on a socket. */
export const serveAgent = (agent: Agent, options: Partial<ServeOptions> = {}): Promise<RunningServer> =>
  serve(agent, { port: 0, logger: quiet, ...options });

/** A caller of one binding. */
export const callerOf =
  (server: RunningServer, binding: BindingName): Caller =>
  async (method, params, more = {}) => {
    const headers = { "a2a-version": "1.0", "content-type": "application/json", ...more };
    if (binding === "JSONRPC") {
      const body = { jsonrpc: "2.0", id: 1, method, params };
      const answer = await ask(server, "/", { method: "POST", headers, body });
      return answer.json === undefined ? { result: answer.text } : fromRpc(answer);
    }
    const [verb, path] = routes[method]?.(params as Record<string, unknown>) ?? ["POST", "/"];
    const answer = await ask(server, path, {
      method: verb,
      headers,
      ...(verb === "POST" && { body: params }),
    });
    return answer.status === 200
      ? { result: answer.json ?? answer.text }
      : { error: { code: answer.status, text: answer.text } };
  };

const fromRpc = ({ json, text }: Answer): Outcome =>
  json.error === undefined ? { result: json.result } : { error: { code: json.error.code, text } };
