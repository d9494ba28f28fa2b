import { describe, expect, it } from "vitest";
import * as v02 from "../../generated/v0.2/index.js";
import { A2A, userMessage } from "../../generated/v0.3/index.js";
import { createClient, httpJson, jsonRpc } from "../../src/index.js";
import { drain, failure, frame, listen, openStream, reply, type TestServer } from "./support.js";

const hello = { message: userMessage("hello") };
const answering = (result: unknown): Promise<TestServer> =>
  listen((seen, response) => {
    reply(response, { jsonrpc: "2.0", id: seen.json.id, result });
  });
const status = (state: string, final: boolean): object => ({
  kind: "status-update",
  taskId: "t1",
  contextId: "c1",
  status: { state },
  final,
});
const task = { kind: "task", id: "t1", contextId: "c1", status: { state: "working" } };

describe("a client pinned to 0.3", () => {
  it("calls message/send with version and extension headers of 0.3, and gets the bare result", async () => {
    await using server = await answering(task);
    const client = createClient(A2A, jsonRpc({ url: server.url }), { extensions: ["urn:a"] });
    const answer = await client.sendMessage(hello);
    expect(answer.kind).toBe("task");
    if (answer.kind === "task") expect(answer.status.state).toBe("working");
    expect(server.seen[0]?.json).toEqual({ jsonrpc: "2.0", id: 1, method: "message/send", params: hello });
    expect(server.seen[0]?.headers).toMatchObject({ "a2a-version": "0.3", "x-a2a-extensions": "urn:a" });
  });

  it("sends no params where the method has none", async () => {
    await using server = await answering({});
    await createClient(A2A, jsonRpc({ url: server.url }))
      .getAuthenticatedExtendedCard()
      .catch(() => undefined);
    expect(server.seen[0]?.body).toBe(
      '{"jsonrpc":"2.0","id":1,"method":"agent/getAuthenticatedExtendedCard"}',
    );
  });

  it("takes null for the result of a deletion (decision 9)", async () => {
    await using server = await answering(null);
    const client = createClient(A2A, jsonRpc({ url: server.url }));
    const result = await client.deleteTaskPushNotificationConfig({
      id: "t1",
      pushNotificationConfigId: "p1",
    });
    expect(result).toBeNull();
    expect(server.seen[0]?.json.method).toBe("tasks/pushNotificationConfig/delete");
  });

  it("takes null for an empty list of webhooks", async () => {
    await using server = await answering(null);
    const client = createClient(A2A, jsonRpc({ url: server.url }));
    expect(await client.listTaskPushNotificationConfig({ id: "t1" })).toEqual([]);
  });

  it.each([
    ["a final update", [task, status("completed", true)], undefined],
    ["a final update of a working task", [task, status("working", true)], undefined],
    ["an update that asks for input", [status("input-required", false)], undefined],
    [
      "a message",
      [{ kind: "message", messageId: "m", role: "agent", parts: [{ kind: "text", text: "hi" }] }],
      undefined,
    ],
    ["a working task", [task], "STREAM_CUT"],
    ["an update that is not final", [task, status("submitted", false)], "STREAM_CUT"],
    [
      "an artifact",
      [
        {
          kind: "artifact-update",
          taskId: "t1",
          contextId: "c1",
          artifact: { artifactId: "a", parts: [{ kind: "text", text: "x" }] },
        },
      ],
      "STREAM_CUT",
    ],
  ])("knows whether a stream may end after %s", async (_, events, reason) => {
    await using server = await listen((seen, response) => {
      openStream(response)(events.map((event) => frame(seen.json.id, event)).join(""));
      response.end();
    });
    const client = createClient(A2A, jsonRpc({ url: server.url }));
    const read = await drain(client.sendStreamingMessage(hello));
    expect(read.events).toEqual(events);
    expect(read.error?.reason).toBe(reason);
    expect(server.seen[0]?.json.method).toBe("message/stream");
  });

  it("reads errors whose data is anything", async () => {
    await using server = await listen((seen, response) => {
      reply(response, {
        jsonrpc: "2.0",
        id: seen.json.id,
        error: { code: -32001, message: "gone", data: "failed to load" },
      });
    });
    const error = await failure(createClient(A2A, jsonRpc({ url: server.url })).getTask({ id: "t1" }));
    expect(error).toMatchObject({ reason: "TASK_NOT_FOUND", data: "failed to load" });
  });

  it("has no HTTP+JSON without its form, and says so", async () => {
    const { form: _, ...bare } = A2A;
    const client = createClient(bare, httpJson({ url: "http://127.0.0.1:1" }));
    const error = await failure(client.getTask({ id: "t1" }));
    expect(error).toMatchObject({
      reason: "CONFIG",
      message: "getTask does not exist in HTTP+JSON of A2A 0.3",
    });
  });
});

describe("a client pinned to 0.2", () => {
  it("calls message/send with its own version", async () => {
    await using server = await answering(task);
    const client = createClient(v02.A2A, jsonRpc({ url: server.url }));
    expect((await client.sendMessage({ message: v02.userMessage("hello") })).kind).toBe("task");
    expect(server.seen[0]?.headers["a2a-version"]).toBe("0.2");
    expect(server.seen[0]?.json.method).toBe("message/send");
  });
});
