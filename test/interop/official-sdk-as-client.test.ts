import { TaskState, type StreamResponse, type Task } from "@a2a-js/sdk";
import {
  ClientFactory,
  ClientFactoryOptions,
  JsonRpcTransportFactory,
  RestTransportFactory,
  type Client,
} from "@a2a-js/sdk/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { officialSend, officialText } from "./official-shapes.js";
import { startOurServer, type OurServer } from "./our-agent.js";

let server: OurServer;
beforeAll(async () => {
  server = await startOurServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const factoryFor = (binding: "JSONRPC" | "HTTP+JSON"): ClientFactory =>
  new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { preferredTransports: [binding] }),
  );

/** The task of a reply that must be one. */
const taskOf = (reply: object): Task =>
  "status" in reply ? (reply as Task) : expect.fail("the reply is no task");

const read = async (
  stream: AsyncIterable<StreamResponse>,
): Promise<NonNullable<StreamResponse["payload"]>[]> => {
  const events: NonNullable<StreamResponse["payload"]>[] = [];
  for await (const { payload } of stream) events.push(payload ?? expect.fail("an event without payload"));
  return events;
};

const failureOf = async (
  call: Promise<unknown>,
): Promise<{ name?: string; reason?: string; cause?: unknown }> =>
  call.then(
    () => expect.fail("it succeeded"),
    (error: unknown) => error as Error,
  );

const list = (contextId: string, pageSize: number, pageToken: string) => ({
  tenant: "",
  contextId,
  status: TaskState.TASK_STATE_UNSPECIFIED,
  pageSize,
  pageToken,
  statusTimestampAfter: undefined,
});

describe.each(["JSONRPC", "HTTP+JSON"] as const)("the official client and our server over %s", (binding) => {
  let client: Client;
  beforeAll(async () => {
    client = await factoryFor(binding).createFromUrl(server.url);
  });

  const start = async (): Promise<Task> =>
    taskOf(await client.sendMessage(officialSend("wait", { returnImmediately: true })));

  it("reads our card", async () => {
    const card = await client.getAgentCard();
    expect(card.name).toBe("Ours");
    expect(
      card.supportedInterfaces.map(({ protocolBinding, protocolVersion }) => [
        protocolBinding,
        protocolVersion,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ["JSONRPC", "1.0"],
        ["HTTP+JSON", "1.0"],
      ]),
    );
    expect(client.transport.protocolName).toBe(binding);
  });

  it("sends a message and gets the finished task", async () => {
    const task = taskOf(await client.sendMessage(officialSend("hello")));
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(task.artifacts.map(officialText)).toEqual(["echo: hello"]);
  });

  it("streams: the task first, every chunk, then the end", async () => {
    const events = await read(client.sendMessageStream(officialSend("stream:20")));
    expect(events[0]?.$case).toBe("task");
    const said = events.map((event) =>
      event.$case === "artifactUpdate" ? officialText(event.value.artifact) : "",
    );
    expect(said.join("")).toBe(Array.from({ length: 20 }, (_, n) => `${n} `).join(""));
    const last = events.at(-1);
    expect(last?.$case === "statusUpdate" && last.value.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  it("gets a task, with and without its history", async () => {
    const { id } = taskOf(await client.sendMessage(officialSend("once more")));
    const whole = await client.getTask({ tenant: "", id });
    expect(whole.history.map(officialText)).toEqual(["once more"]);
    const bare = await client.getTask({ tenant: "", id, historyLength: 0 });
    expect(bare.history ?? []).toEqual([]);
  });

  it("lists tasks page by page", async () => {
    const contextId = crypto.randomUUID();
    const sent: string[] = [];
    for (let n = 0; n < 5; n++)
      sent.push(taskOf(await client.sendMessage(officialSend(`number ${n}`, { contextId }))).id);
    const listed: string[] = [];
    const sizes: number[] = [];
    let pageToken = "";
    do {
      const page = await client.listTasks(list(contextId, 2, pageToken));
      expect([page.totalSize, page.pageSize]).toEqual([5, 2]);
      sizes.push(page.tasks.length);
      listed.push(...page.tasks.map(({ id }) => id));
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    expect(sizes).toEqual([2, 2, 1]);
    expect(listed.toSorted()).toEqual(sent.toSorted());
  });

  it("continues a task that asked for input", async () => {
    const asked = taskOf(await client.sendMessage(officialSend("ask")));
    expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(officialText(asked.status?.message)).toBe("Which city?");
    const done = taskOf(await client.sendMessage(officialSend("Paris", { taskId: asked.id })));
    expect([done.id, done.status?.state]).toEqual([asked.id, TaskState.TASK_STATE_COMPLETED]);
  });

  it("cancels a running task", async () => {
    const { id } = await start();
    const canceled = await client.cancelTask({ tenant: "", id, metadata: undefined });
    expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    const again = await failureOf(client.cancelTask({ tenant: "", id, metadata: undefined }));
    expect(again).toMatchObject({ reason: "TASK_NOT_CANCELABLE" });
  });

  it("subscribes to a running task: a snapshot, then what happens", async () => {
    const { id } = await start();
    const stream = client.resubscribeTask({ tenant: "", id });
    const { value: first } = (await stream.next()) as IteratorYieldResult<StreamResponse>;
    expect(first.payload?.$case === "task" && first.payload.value.id).toBe(id);
    server.release();
    const rest = await read(stream);
    expect(
      rest.map((event) => (event.$case === "artifactUpdate" ? officialText(event.value.artifact) : "")),
    ).toContain("echo: wait");
    const last = rest.at(-1);
    expect(last?.$case === "statusUpdate" && last.value.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  it("names the error of an unknown task", async () => {
    const error = await failureOf(client.getTask({ tenant: "", id: "no-such-task" }));
    expect(error).toMatchObject({ reason: "TASK_NOT_FOUND" });
    const subscribed = await failureOf(client.resubscribeTask({ tenant: "", id: "no-such-task" }).next());
    // Their JSON-RPC streams throw a plain Error that holds the typed one as its cause.
    expect((subscribed.cause as { reason?: string } | undefined)?.reason ?? subscribed.reason).toBe(
      "TASK_NOT_FOUND",
    );
  });

  it("names the error of a wrong version", async () => {
    // Their client always says 1.0, whatever the interface declares; so the header is changed on its way out.
    const ahead: typeof fetch = (url, init) => {
      const headers = new Headers(init?.headers);
      headers.set("a2a-version", "9.9");
      return fetch(url, { ...init, headers });
    };
    /* eslint-disable @typescript-eslint/no-unsafe-class-instance-assignment -- their options are declared as classes */
    const factory = new ClientFactory({
      transports: [
        new JsonRpcTransportFactory({ fetchImpl: ahead }),
        new RestTransportFactory({ fetchImpl: ahead }),
      ],
      preferredTransports: [binding],
    });
    /* eslint-enable @typescript-eslint/no-unsafe-class-instance-assignment */
    const newer = await factory.createFromAgentCard(await client.getAgentCard());
    expect(await failureOf(newer.getTask({ tenant: "", id: "x" }))).toMatchObject({
      reason: "VERSION_NOT_SUPPORTED",
    });
  });
});
