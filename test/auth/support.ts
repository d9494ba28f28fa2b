/** Agents that tell their callers apart, and calls of 0.3 beside those of 1.0. */
import type { AuthOptions, Identity } from "a2a-typed/auth";
import { bearer } from "a2a-typed/auth";
import type { AgentDefinition, Handler, Logger } from "../../src/server.js";
import { agentOf, quiet } from "../server/agents.js";
import type { BindingName, Json } from "../rules/support.js";

/** Tokens and who shows them. */
export const people: Readonly<Record<string, Identity>> = {
  "token-alice": { principal: "alice", scopes: ["read", "write"] },
  "token-bob": { principal: "bob", scopes: ["read"] },
};

/** `Authorization` of one of them. */
export const as = (name: string): Record<string, string> => ({ authorization: `Bearer token-${name}` });

/** Bearer tokens of `people`. */
export const tokens: AuthOptions = { schemes: { token: bearer(people) } };

/** An agent that says who calls unless told otherwise. */
export const whoami = (
  handle: Handler = async (ctx) => `you are ${typeof ctx.principal === "string" ? ctx.principal : "nobody"}`,
  more: Partial<AgentDefinition> = {},
) => agentOf(handle, more);

/** A logger, and the warnings it got. */
export function warnings(): { readonly logger: Logger; readonly lines: [string, unknown][] } {
  const lines: [string, unknown][] = [];
  return { logger: { ...quiet, warn: (message, details) => void lines.push([message, details]) }, lines };
}

/** What came back, whole: JSON-RPC with its envelope. */
export interface Raw {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Json;
}

type Call = readonly [verb: string, path: string, rpc: string, params: object];

/** The operations on one task as 0.3 writes them. */
export const legacyCalls = (id: string): Readonly<Record<string, Call>> => ({
  get: ["GET", `/v1/tasks/${id}`, "tasks/get", { id }],
  send: [
    "POST",
    "/v1/message:send",
    "message/send",
    {
      message: {
        kind: "message",
        messageId: "m",
        role: "user",
        taskId: id,
        parts: [{ kind: "text", text: "x" }],
      },
    },
  ],
  cancel: ["POST", `/v1/tasks/${id}:cancel`, "tasks/cancel", { id }],
  subscribe: ["GET", `/v1/tasks/${id}:subscribe`, "tasks/resubscribe", { id }],
  createConfig: [
    "POST",
    `/v1/tasks/${id}/pushNotificationConfigs`,
    "tasks/pushNotificationConfig/set",
    { taskId: id, pushNotificationConfig: { id: "c", url: "https://hook.example.com/x" } },
  ],
  getConfig: [
    "GET",
    `/v1/tasks/${id}/pushNotificationConfigs/c`,
    "tasks/pushNotificationConfig/get",
    { id, pushNotificationConfigId: "c" },
  ],
  listConfigs: [
    "GET",
    `/v1/tasks/${id}/pushNotificationConfigs`,
    "tasks/pushNotificationConfig/list",
    { id },
  ],
  deleteConfig: [
    "DELETE",
    `/v1/tasks/${id}/pushNotificationConfigs/c`,
    "tasks/pushNotificationConfig/delete",
    { id, pushNotificationConfigId: "c" },
  ],
});

/** The body that HTTP+JSON of 0.3 takes for a call. */
const bodies: Readonly<Record<string, (id: string) => object>> = {
  send: (id) => ({ message: { messageId: "m", role: "ROLE_USER", taskId: id, content: [{ text: "x" }] } }),
  createConfig: (id) => ({
    configId: "c",
    config: {
      name: `tasks/${id}/pushNotificationConfigs/c`,
      pushNotificationConfig: { id: "c", url: "https://hook.example.com/x" },
    },
  }),
};

/** One call of 0.3. */
export async function legacy(
  url: string,
  binding: BindingName,
  name: string,
  id: string,
  headers: Readonly<Record<string, string>>,
): Promise<Raw> {
  const [verb, path, method, params] = legacyCalls(id)[name] ?? [];
  const sent = { "a2a-version": "0.3", "content-type": "application/json", ...headers };
  const body = JSON.stringify(
    binding === "JSONRPC" ? { jsonrpc: "2.0", id: 1, method, params } : (bodies[name]?.(id) ?? {}),
  );
  const response =
    binding === "JSONRPC"
      ? await fetch(url, { method: "POST", headers: sent, body })
      : await fetch(url + String(path), {
          method: verb ?? "GET",
          headers: sent,
          ...(verb === "POST" && { body }),
        });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    json: text === "" ? undefined : JSON.parse(text),
  };
}
