/** The operations over gRPC give what they give over HTTP+JSON, in both generations. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { A2A } from "../../generated/v1.0/index.js";
import { A2A as Old } from "../../generated/v0.3/index.js";
import { isObject } from "../../src/codec/json.js";
import { loadGrpcService } from "../../src/versions/grpc-services.js";
import { grpc } from "../../src/grpc.js";
import { createClient, httpJson, type Client } from "../../src/index.js";
import type { RunningServer } from "../../src/server.js";
import { said, start } from "../bindings/peer.js";
import { failure } from "../client/support.js";
import { peer, V1 } from "./peer.js";

let server: RunningServer;
let address: string;
beforeAll(async () => {
  server = await start({ grpc: { port: 0 } });
  address = server.grpc?.address ?? "";
});
afterAll(() => server.close());

const hook = "https://hooks.example.com/a2a";

async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const events: T[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** Members in the order of their names: that of the wire is no one's. */
const sorted = (_: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

/** Ids in the order they come, and all times alike. */
function normal(value: unknown): unknown {
  const ids = new Map<string, string>();
  const text = JSON.stringify(value, sorted)
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
      const known = ids.get(id) ?? `id-${String(ids.size + 1)}`;
      ids.set(id, known);
      return known;
    })
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time");
  return JSON.parse(text) as unknown;
}

/** The eleven operations of 1.0 on fresh tasks. */
async function everything(client: Client<typeof A2A>): Promise<unknown> {
  const message = (text: string) =>
    ({ message: said(text).message }) as Parameters<typeof client.sendMessage>[0];
  const sent = await client.sendMessage(message("go"));
  const { id = "", contextId = "" } = sent.task ?? {};
  const waiting = await client.sendMessage({ ...message("ask"), configuration: { returnImmediately: true } });
  const config = { taskId: id, id: "c1", url: hook, authentication: { scheme: "Bearer", credentials: "x" } };
  const seen = {
    sent,
    message: await client.sendMessage(message("message")),
    streamed: await all(client.sendStreamingMessage(message("go"))),
    task: await client.getTask({ id, historyLength: 1 }),
    none: await client.getTask({ id, historyLength: 0 }),
    listed: await client.listTasks({ contextId, includeArtifacts: true }),
    nobody: await client.listTasks({ contextId: "nobody" }),
    canceled: await client.cancelTask({ id: waiting.task?.id ?? "", metadata: { why: ["a", null, 1.5] } }),
    created: await client.createTaskPushNotificationConfig(config),
    got: await client.getTaskPushNotificationConfig({ taskId: id, id: "c1" }),
    configs: await client.listTaskPushNotificationConfigs({ taskId: id }),
    deleted: await client.deleteTaskPushNotificationConfig({ taskId: id, id: "c1" }),
    card: await client.getExtendedAgentCard({}),
    over: (await failure(client.subscribeToTask({ id }).next())).reason,
  };
  return normal(seen);
}

describe("1.0", () => {
  it("all operations give the same as over HTTP+JSON (A2A-10.4-a)", async () => {
    const overGrpc = createClient(A2A, grpc({ address }));
    const overRest = createClient(A2A, httpJson({ url: server.url }));
    const [ours, rest] = [await everything(overGrpc), await everything(overRest)];
    expect(ours).toEqual(rest);
    expect(ours).toMatchObject({
      message: { message: { role: "ROLE_AGENT", parts: [{ text: "just words" }] } },
      deleted: {},
      canceled: { status: { state: "TASK_STATE_CANCELED" } },
      over: "UNSUPPORTED_OPERATION",
    });
    await overGrpc.close();
  });

  it("the service is that of the normative file, and streams are what the file says (A2A-10.1-a, A2A-10.4-a)", async () => {
    const service = await loadGrpcService("1.0");
    expect(service?.name).toBe("lf.a2a.v1.A2AService");
    expect(
      Object.values(service?.methods ?? {}).map(({ name, input, output, serverStream }) => [
        name,
        input.name.replace("lf.a2a.v1.", ""),
        output.name.replace("lf.a2a.v1.", ""),
        serverStream,
      ]),
    ).toEqual([
      ["SendMessage", "SendMessageRequest", "SendMessageResponse", false],
      ["SendStreamingMessage", "SendMessageRequest", "StreamResponse", true],
      ["GetTask", "GetTaskRequest", "Task", false],
      ["ListTasks", "ListTasksRequest", "ListTasksResponse", false],
      ["CancelTask", "CancelTaskRequest", "Task", false],
      ["SubscribeToTask", "SubscribeToTaskRequest", "StreamResponse", true],
      ["CreateTaskPushNotificationConfig", "TaskPushNotificationConfig", "TaskPushNotificationConfig", false],
      [
        "GetTaskPushNotificationConfig",
        "GetTaskPushNotificationConfigRequest",
        "TaskPushNotificationConfig",
        false,
      ],
      [
        "ListTaskPushNotificationConfigs",
        "ListTaskPushNotificationConfigsRequest",
        "ListTaskPushNotificationConfigsResponse",
        false,
      ],
      ["GetExtendedAgentCard", "GetExtendedAgentCardRequest", "AgentCard", false],
      [
        "DeleteTaskPushNotificationConfig",
        "DeleteTaskPushNotificationConfigRequest",
        "google.protobuf.Empty",
        false,
      ],
    ]);
  });

  it("a stream ends with OK after its last event, in order (A2A-10.7-a)", async () => {
    const caller = await peer(address);
    const { code, events } = await caller.stream("SendStreamingMessage", said("go"), V1);
    expect(code).toBe(0);
    expect(events.map((event: object) => Object.keys(event)[0])).toEqual([
      "task",
      "statusUpdate",
      "artifactUpdate",
      "statusUpdate",
    ]);
    expect(events.at(-1)).toMatchObject({ statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } });
    caller.close();
  });
});

describe("0.3 on the same port", () => {
  it("gives the same as over HTTP+JSON", async () => {
    const everythingOld = async (client: Client<typeof Old>) => {
      const message = (text: string) => ({
        message: {
          kind: "message" as const,
          messageId: `m-${text}`,
          role: "user" as const,
          parts: [{ kind: "text" as const, text }],
        },
        configuration: { blocking: true, acceptedOutputModes: [] },
      });
      const sent = await client.sendMessage(message("go"));
      const id = sent.kind === "task" ? sent.id : "";
      const waiting = await client.sendMessage(message("ask"));
      const created = await client.setTaskPushNotificationConfig({
        taskId: id,
        pushNotificationConfig: { id: "c1", url: hook },
      });
      return normal({
        sent,
        message: await client.sendMessage(message("message")),
        streamed: await all(client.sendStreamingMessage(message("go"))),
        task: await client.getTask({ id }),
        canceled: await client.cancelTask({ id: waiting.kind === "task" ? waiting.id : "" }),
        created,
        got: await client.getTaskPushNotificationConfig({ id, pushNotificationConfigId: "c1" }),
        configs: await client.listTaskPushNotificationConfig({ id }),
        deleted: await client.deleteTaskPushNotificationConfig({ id, pushNotificationConfigId: "c1" }),
        missing: (await failure(client.getTask({ id: "nobody" }))).reason,
        over: (await failure(client.resubscribeToTask({ id }).next())).reason,
      });
    };
    const overGrpc = createClient(Old, grpc({ address }));
    const overRest = createClient(Old, httpJson({ url: server.url }));
    const [ours, rest] = [await everythingOld(overGrpc), await everythingOld(overRest)];
    expect(ours).toEqual(rest);
    expect(ours).toMatchObject({ missing: "TASK_NOT_FOUND", deleted: null, sent: { kind: "task" } });
    await overGrpc.close();
  });

  it("is another service, of its own package", async () => {
    const caller = await peer(address, "0.3");
    expect(caller.service.name).toBe("a2a.v1.A2AService");
    const { code, result } = await caller.unary("SendMessage", {
      message: { messageId: "m", role: "ROLE_USER", content: [{ text: "go" }] },
      configuration: { blocking: true },
    });
    expect([code, result.task.status.state]).toEqual([0, "TASK_STATE_COMPLETED"]);
    caller.close();
  });
});
