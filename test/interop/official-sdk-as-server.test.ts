import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { A2A } from "../../generated/v1.0/service.js";
import { textOf, userMessage } from "../../generated/v1.0/helpers.js";
import type { StreamResponse, Task } from "../../generated/v1.0/types.js";
import { fetchAgentCard } from "a2a-typed/client";
import { createClient, httpJson, jsonRpc, type A2AError, type Client } from "a2a-typed";

import { startOfficialServer, type OfficialServer } from "./official-server.js";

let server: OfficialServer;
beforeAll(async () => {
  // It reports every refusal on the console.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  server = await startOfficialServer();
});
afterAll(async () => {
  vi.restoreAllMocks();
  await server[Symbol.asyncDispose]();
});

/** The task of a reply that must be one. */
const taskOf = ({ task }: { task?: Task }): Task => task ?? expect.fail("the reply holds no task");

const read = async (stream: AsyncIterable<StreamResponse>): Promise<StreamResponse[]> => {
  const events: StreamResponse[] = [];
  for await (const event of stream) events.push(event);
  return events;
};

const failureOf = async (call: Promise<unknown>): Promise<Partial<A2AError>> =>
  call.then(
    () => expect.fail("it succeeded"),
    (error: unknown) => error as A2AError,
  );

it("reads the card of the official SDK", async () => {
  const card = await fetchAgentCard(server.url);
  expect(card).toMatchObject({ name: "Official", capabilities: { streaming: true } });
  expect(card.supportedInterfaces.map(({ protocolBinding, url }) => [protocolBinding, url])).toEqual([
    ["JSONRPC", server.rpcUrl],
    ["HTTP+JSON", server.restUrl],
  ]);
});

describe.each(["JSON-RPC", "HTTP+JSON"] as const)("our client and the official server over %s", (binding) => {
  let client: Client<typeof A2A>;
  beforeAll(() => {
    client = createClient(
      A2A,
      binding === "JSON-RPC" ? jsonRpc({ url: server.rpcUrl }) : httpJson({ url: server.restUrl }),
    );
  });
  afterAll(async () => {
    await client.close();
  });

  it("sends a message and gets the finished task", async () => {
    const task = taskOf(await client.sendMessage({ message: userMessage("hello") }));
    expect(task.status.state).toBe("TASK_STATE_COMPLETED");
    expect(task.artifacts?.map(textOf)).toEqual(["echo: hello"]);
  });

  it("streams: the task first, every chunk, then the end", async () => {
    const events = await read(client.sendStreamingMessage({ message: userMessage("stream:20") }));
    expect(events[0]?.task?.status.state).toBe("TASK_STATE_SUBMITTED");
    expect(events.slice(1, -1).map(({ artifactUpdate }) => textOf(artifactUpdate?.artifact))).toEqual(
      Array.from({ length: 20 }, (_, n) => `${n} `),
    );
    expect(events.at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
  });

  it("gets a task, with and without its history", async () => {
    const { id } = taskOf(await client.sendMessage({ message: userMessage("once more") }));
    const whole = await client.getTask({ id });
    expect(whole.history?.map(textOf)).toEqual(["once more"]);
    const bare = await client.getTask({ id, historyLength: 0 });
    expect(bare.history ?? []).toEqual([]);
    expect(bare.id).toBe(id);
  });

  it("lists tasks page by page", async () => {
    const contextId = crypto.randomUUID();
    const sent: string[] = [];
    for (let n = 0; n < 5; n++) {
      const message = { ...userMessage(`number ${n}`), contextId };
      sent.push(taskOf(await client.sendMessage({ message })).id);
    }
    const listed: string[] = [];
    const sizes: number[] = [];
    let pageToken = "";
    do {
      const page = await client.listTasks({ contextId, pageSize: 2, pageToken });
      expect(page.totalSize).toBe(5);
      sizes.push(page.tasks.length);
      listed.push(...page.tasks.map(({ id }) => id));
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    expect(sizes).toEqual([2, 2, 1]);
    expect(listed.toSorted()).toEqual(sent.toSorted());
  });

  it("continues a task that asked for input", async () => {
    const asked = taskOf(await client.sendMessage({ message: userMessage("ask") }));
    expect(asked.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    const answer = { ...userMessage("Paris"), taskId: asked.id, contextId: asked.contextId ?? "" };
    const done = taskOf(await client.sendMessage({ message: answer }));
    expect([done.id, done.status.state]).toEqual([asked.id, "TASK_STATE_COMPLETED"]);
  });

  it("cancels a running task", async () => {
    const { id } = await startWaiting();
    const canceled = await client.cancelTask({ id });
    expect(canceled.status.state).toBe("TASK_STATE_CANCELED");
  });

  it("names the error of a task that cannot be canceled any more", async () => {
    // Of a completed task: the official server answers a second cancel with the canceled task instead of an error.
    const { id } = taskOf(await client.sendMessage({ message: userMessage("done") }));
    expect(await failureOf(client.cancelTask({ id }))).toMatchObject({
      reason: "TASK_NOT_CANCELABLE",
      code: -32002,
    });
  });

  it("subscribes to a running task: a snapshot, then what happens", async () => {
    const { id } = await startWaiting();
    const stream = client.subscribeToTask({ id });
    const first = await stream.next();
    expect(first.value?.task?.id).toBe(id);
    server.release();
    const rest = await read(stream);
    expect(rest.map(({ artifactUpdate }) => artifactUpdate && textOf(artifactUpdate.artifact))).toContain(
      "echo: wait",
    );
    expect(rest.at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
  });

  it("ends the request when the loop is left early", async () => {
    for await (const event of client.sendStreamingMessage({ message: userMessage("wait") })) {
      expect(event.task).toBeDefined();
      break;
    }
    server.release();
  });

  it("names the error of an unknown task", async () => {
    const error = await failureOf(client.getTask({ id: "no-such-task" }));
    expect(error).toMatchObject({ reason: "TASK_NOT_FOUND", code: -32001 });
    const subscribed = await failureOf(client.subscribeToTask({ id: "no-such-task" }).next());
    expect(subscribed).toMatchObject({ reason: "TASK_NOT_FOUND" });
  });

  it("names the error of a wrong version", async () => {
    const call = client.getTask({ id: "x" }, { headers: { "a2a-version": "9.9" } });
    expect(await failureOf(call)).toMatchObject({ reason: "VERSION_NOT_SUPPORTED", code: -32009 });
  });

  async function startWaiting(): Promise<Task> {
    return taskOf(
      await client.sendMessage({
        message: userMessage("wait"),
        configuration: { returnImmediately: true },
      }),
    );
  }
});
