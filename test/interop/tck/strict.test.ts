/** Rules that the kit for 1.0 checks only weakly, on the same agent and on the wire itself. */
import type { RunningServer } from "a2a-typed/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { peer, type Peer } from "../../grpc/peer.js";
import { eventsOf } from "../../rpc/support.js";
import { startTckAgent } from "./agent.js";

let server: RunningServer;
let caller: Peer;
beforeAll(async () => {
  server = await startTckAgent({
    port: 0,
    streaming: true,
    push: true,
    requireExtension: false,
    versions: ["1.0"],
  });
  caller = await peer(server.grpc?.address ?? "");
});
afterAll(async () => {
  caller.close();
  await server.close();
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- JSON of every shape
type Json = any;
interface Reply {
  /** The result, or the first event of a stream. */
  readonly result: Json;
  readonly reason: string | undefined;
  readonly events: readonly Json[];
}
type Headers = Readonly<Record<string, string>>;
type Call = (method: string, params: Json, headers?: Headers) => Promise<Reply>;

const v1 = { "a2a-version": "1.0" };
const json = { "content-type": "application/json" };
const reasonOf = (details: Json): string | undefined =>
  (details ?? []).find((detail: Json) => detail["@type"] === "type.googleapis.com/google.rpc.ErrorInfo")
    ?.reason;

const overRpc: Call = async (method, params, headers = v1) => {
  const response = await fetch(server.url, {
    method: "POST",
    headers: { ...json, ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: "x", method, params }),
  });
  const text = await response.text();
  const isStream = response.headers.get("content-type") === "text/event-stream";
  const replies: Json[] = isStream ? eventsOf(text).map(({ data }) => data) : [JSON.parse(text)];
  for (const reply of replies) expect(reply).toMatchObject({ jsonrpc: "2.0", id: "x" });
  const [first] = replies;
  return {
    result: first.result,
    reason: reasonOf(first.error?.data),
    events: replies.map(({ result }) => result),
  };
};

const routes: Readonly<Record<string, (params: Json) => readonly [string, string, Json?]>> = {
  SendMessage: (params) => ["POST", "/message:send", params],
  SendStreamingMessage: (params) => ["POST", "/message:stream", params],
  GetTask: ({ id, ...query }) => ["GET", `/tasks/${id}?${new URLSearchParams(query)}`],
  ListTasks: (query) => ["GET", `/tasks?${new URLSearchParams(query)}`],
  CancelTask: ({ id }) => ["POST", `/tasks/${id}:cancel`],
  CreateTaskPushNotificationConfig: ({ taskId, ...config }) => [
    "POST",
    `/tasks/${taskId}/pushNotificationConfigs`,
    config,
  ],
  GetTaskPushNotificationConfig: ({ taskId, id }) => [
    "GET",
    `/tasks/${taskId}/pushNotificationConfigs/${id}`,
  ],
  ListTaskPushNotificationConfigs: ({ taskId }) => ["GET", `/tasks/${taskId}/pushNotificationConfigs`],
  DeleteTaskPushNotificationConfig: ({ taskId, id }) => [
    "DELETE",
    `/tasks/${taskId}/pushNotificationConfigs/${id}`,
  ],
};

const overRest: Call = async (name, params, headers = v1) => {
  const [method, path, body] = routes[name]?.(params) ?? expect.fail(name);
  const response = await fetch(server.url + path, {
    method,
    headers: { ...(body !== undefined && json), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.headers.get("content-type") === "text/event-stream") {
    const events = eventsOf(text).map(({ data }) => data);
    return { result: events[0], reason: undefined, events };
  }
  const value = JSON.parse(text);
  expect(response.ok).toBe(value.error === undefined);
  return { result: value, reason: reasonOf(value.error?.details), events: [] };
};

const overGrpc: Call = async (method, params, headers = v1) => {
  const { code, result, events, details } = await caller.unary(method, params, headers);
  expect(code === 0).toBe(details.length === 0);
  return { result, reason: reasonOf(details), events };
};

const message = (trigger: string, more: object = {}): Json => ({
  message: {
    messageId: `${trigger}-${crypto.randomUUID()}`,
    role: "ROLE_USER",
    parts: [{ text: "Do it" }],
    ...more,
  },
});

describe.each([
  ["JSON-RPC", overRpc],
  ["HTTP+JSON", overRest],
  ["gRPC", overGrpc],
] as const)("over %s", (_, call) => {
  const taskOf = async (trigger: string, more: object = {}): Promise<Json> =>
    (await call("SendMessage", message(trigger, more))).result.task;

  it("lists the tasks of one context, newest first, in pages, with and without artifacts (CORE-LIST-001 to -005)", async () => {
    const first = await taskOf("tck-artifact-text");
    const { contextId } = first;
    const second = await taskOf("tck-input-required", { contextId });
    const third = await taskOf("tck-complete-task", { contextId });
    await taskOf("tck-complete-task");
    const list = async (query: object): Promise<Json> =>
      (await call("ListTasks", { contextId, ...query })).result;
    const ids = ({ tasks }: Json): string[] => tasks.map(({ id }: Json) => id);
    const all = await list({});
    expect(ids(all)).toEqual([third.id, second.id, first.id]);
    expect(all).toMatchObject({ totalSize: 3, nextPageToken: "" });
    const page = await list({ pageSize: 2 });
    expect(page).toMatchObject({ totalSize: 3, pageSize: 2, nextPageToken: expect.stringMatching(/./) });
    expect(ids(page)).toEqual([third.id, second.id]);
    const rest = await list({ pageSize: 2, pageToken: page.nextPageToken });
    expect([ids(rest), rest.nextPageToken]).toEqual([[first.id], ""]);
    expect(ids(await list({ status: "TASK_STATE_INPUT_REQUIRED" }))).toEqual([second.id]);
    expect(all.tasks.some((task: Json) => "artifacts" in task)).toBe(false);
    expect((await list({ includeArtifacts: true })).tasks[2].artifacts).toEqual(first.artifacts);
  });

  it("streams one task from its beginning to its end (CORE-STREAM-001, -003)", async () => {
    const { events } = await call("SendStreamingMessage", message("tck-stream-003"));
    const { id, contextId } = events[0].task;
    expect(events.map((event: Json) => Object.keys(event))).toEqual(events.map(() => [expect.any(String)]));
    for (const { statusUpdate, artifactUpdate } of events.slice(1))
      expect(statusUpdate ?? artifactUpdate).toMatchObject({ taskId: id, contextId });
    expect(events.at(-1).statusUpdate.status.state).toBe("TASK_STATE_COMPLETED");
    expect((await call("GetTask", { id })).result.status).toEqual(events.at(-1).statusUpdate.status);
  });

  it("streams a bare message alone (CORE-STREAM-002)", async () => {
    const { events } = await call("SendStreamingMessage", message("tck-message-response"));
    expect(events).toEqual([{ message: expect.objectContaining({ role: "ROLE_AGENT" }) }]);
  });

  it("gets the task that was made, with as much history as was asked for (CORE-GET-001)", async () => {
    const task = await taskOf("tck-artifact-data");
    expect((await call("GetTask", { id: task.id })).result).toEqual(task);
    expect((await call("GetTask", { id: task.id, historyLength: 0 })).result.history ?? []).toEqual([]);
  });

  it("cancels once (CORE-CANCEL-001)", async () => {
    const { id } = await taskOf("tck-input-required");
    expect((await call("CancelTask", { id })).result).toMatchObject({
      id,
      status: { state: "TASK_STATE_CANCELED" },
    });
    expect((await call("GetTask", { id })).result.status.state).toBe("TASK_STATE_CANCELED");
    expect((await call("CancelTask", { id })).reason).toBe("TASK_NOT_CANCELABLE");
  });

  it("keeps task and context over turns, and refuses others (CORE-MULTI)", async () => {
    const { id, contextId } = await taskOf("tck-input-required");
    const next = await taskOf("tck-input-required", { taskId: id });
    expect([next.id, next.contextId]).toEqual([id, contextId]);
    const other = await taskOf("tck-complete-task", { contextId });
    expect(other.contextId).toBe(contextId);
    expect(other.id).not.toBe(id);
    const wrong = await call("SendMessage", message("tck-complete-task", { taskId: id, contextId: "other" }));
    expect(wrong.result?.task).toBeUndefined();
    expect((await call("GetTask", { id })).result.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  });

  it("gives webhooks back as they were stored (PUSH-GET-001, PUSH-LIST-001)", async () => {
    const { id: taskId } = await taskOf("tck-complete-task");
    const config = { taskId, id: "hook", url: "https://example.com/hook", token: "t" };
    const other = { taskId, id: "other", url: "https://example.com/other" };
    for (const one of [config, other]) await call("CreateTaskPushNotificationConfig", one);
    expect((await call("GetTaskPushNotificationConfig", { taskId, id: "hook" })).result).toEqual(config);
    const listed = async (): Promise<string[]> =>
      (await call("ListTaskPushNotificationConfigs", { taskId })).result.configs.map(({ id }: Json) => id);
    expect((await listed()).toSorted()).toEqual(["hook", "other"]);
    await call("DeleteTaskPushNotificationConfig", { taskId, id: "hook" });
    expect(await listed()).toEqual(["other"]);
  });
});

// Over gRPC the package of the service says which version is meant.
describe.each([
  ["JSON-RPC", overRpc],
  ["HTTP+JSON", overRest],
] as const)("over %s", (_, call) => {
  it.each([{ "a2a-version": "" }, {}])(
    "takes %j for 0.3, which is not served (VER-SERVER-003)",
    async (headers) => {
      const { reason } = await call("SendMessage", message("tck-complete-task"), headers);
      expect(reason).toBe("VERSION_NOT_SUPPORTED");
    },
  );
});

it.each([
  ["PUT", "/message:send", "POST"],
  ["POST", "/tasks", "GET"],
  ["DELETE", "/tasks/t", "GET"],
])("refuses %s %s (HTTP_JSON-URL-002)", async (method, path, allow) => {
  const response = await fetch(server.url + path, { method, headers: v1 });
  await response.body?.cancel();
  expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
});
