import { describe, expect, it } from "vitest";
import type { ClientWarning } from "a2a-typed";
import { startPeer } from "../field-reports/peer.js";
import {
  type V03,
  answering,
  clientOf,
  message,
  streaming,
  task,
  taskForm,
  taskSnake,
} from "./client-support.js";

describe("streams of 0.3 over HTTP+JSON", () => {
  const last = {
    kind: "status-update",
    taskId: "t1",
    contextId: "c1",
    final: true,
    status: { state: "completed" },
  };
  const lastForm = { taskId: "t1", contextId: "c1", final: true, status: { state: "TASK_STATE_COMPLETED" } };
  const chunk = {
    kind: "artifact-update",
    taskId: "t1",
    contextId: "c1",
    append: true,
    artifact: { artifactId: "a", parts: [{ kind: "text", text: "x" }] },
  };
  const chunkForm = {
    taskId: "t1",
    contextId: "c1",
    append: true,
    artifact: { artifactId: "a", parts: [{ text: "x" }] },
  };
  const all = async (client: V03): Promise<unknown[]> => {
    const events: unknown[] = [];
    for await (const event of client.sendStreamingMessage({ message })) events.push(event);
    return events;
  };

  it.each([
    ["ProtoJSON", [{ task: taskForm }, { artifactUpdate: chunkForm }, { statusUpdate: lastForm }]],
    [
      "the names of the proto",
      [{ task: taskSnake }, { artifact_update: chunkForm }, { status_update: lastForm }],
    ],
    ["the JSON", [task, chunk, last]],
    ["the JSON in wrappers", [{ task }, { artifactUpdate: chunk }, { statusUpdate: last }]],
  ])("come in %s", async (_, events) => {
    const started = events.map((event, i) => (i === 0 ? withState(event) : event));
    await using peer = await startPeer(streaming(...started));
    await using client = clientOf(peer);
    expect(await all(client)).toEqual([{ ...task, status: { state: "working" } }, chunk, last]);
    expect(peer.requests[0]).toMatchObject({ method: "POST", url: "/v1/message:stream" });
  });

  it("pass over events of an unknown kind, with a warning", async () => {
    await using peer = await startPeer(streaming({ taskProgress: {} }, { statusUpdate: lastForm }));
    const warnings: ClientWarning[] = [];
    await using client = clientOf(peer, warnings);
    expect(await all(client)).toEqual([last]);
    expect(warnings).toMatchObject([{ code: "unknown-event", message: /taskProgress/ }]);
  });

  it.each([
    ["the error of JSON-RPC", 'event: error\ndata: {"code":-32001,"message":"gone"}\n\n'],
    ["that error within", 'event: error\ndata: {"error":{"code":-32001,"message":"gone"}}\n\n'],
    ["the body of 1.0", 'data: {"error":{"code":404,"status":"NOT_FOUND","message":"Task not found"}}\n\n'],
  ])("end with %s", async (_, frame) => {
    const headers = { "content-type": "text/event-stream" };
    await using peer = await startPeer({
      headers,
      body: [`data: ${JSON.stringify({ task: withState({ task: taskForm }).task })}\n\n`, frame],
    });
    await using client = clientOf(peer);
    await expect(all(client)).rejects.toMatchObject({ reason: "TASK_NOT_FOUND" });
  });

  it("are taken up again with GET, and with POST where that is not allowed", async () => {
    const seen: string[] = [];
    await using peer = await startPeer((url) => {
      seen.push(url);
      return seen.length === 1
        ? answering({ detail: "Method Not Allowed" }, 405)
        : streaming({ statusUpdate: lastForm });
    });
    await using client = clientOf(peer);
    const events: unknown[] = [];
    for await (const event of client.resubscribeToTask({ id: "t1" })) events.push(event);
    expect(events).toEqual([last]);
    expect(peer.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET /v1/tasks/t1:subscribe",
      "POST /v1/tasks/t1:subscribe",
    ]);
  });
});

/** An event whose task still works, so that more may follow. */
function withState(event: unknown): { task?: unknown } {
  return JSON.parse(
    JSON.stringify(event, (key, value: unknown) => (key === "status" ? { state: stateLike(value) } : value)),
  ) as object;
}
const stateLike = (status: unknown): unknown => {
  const { state } = status as { state: unknown };
  return state === "canceled" ? "working" : typeof state === "number" ? 2 : "TASK_STATE_WORKING";
};
