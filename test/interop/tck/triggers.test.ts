/** The agent under test does what its table says, in both versions and all bindings: kept true without the kits. */
import { connect, type Agent } from "a2a-typed/client";
import { grpc } from "a2a-typed/grpc";
import type { RunningServer } from "a2a-typed/server";
import { textOf, userMessage, type Artifact, type Part, type StreamResponse, type Task } from "a2a-typed/v1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTckAgent } from "./agent.js";
import { scriptOf, triggers, type Script } from "./triggers.js";

const states = {
  completed: "TASK_STATE_COMPLETED",
  inputRequired: "TASK_STATE_INPUT_REQUIRED",
  rejected: "TASK_STATE_REJECTED",
};

/** Long work is for streams that are taken up again; it is canceled instead of awaited. */
const isLong = ({ workMs }: Script): boolean => workMs !== undefined;
const rows = Object.entries(triggers);
const short = rows.filter(([, script]) => !isLong(script));

let server: RunningServer;
beforeAll(async () => {
  server = await startTckAgent({
    port: 0,
    streaming: true,
    push: true,
    requireExtension: false,
    versions: ["1.0", "0.3"],
  });
});
afterAll(() => server.close());

/** What artifacts hold: the text of those that only have text, and everything else as it is. */
const contents = (parts: readonly Part[] = []): object[] =>
  parts.every(({ text }) => text !== undefined)
    ? parts.length > 0
      ? [{ text: parts.map(textOf).join("") }]
      : []
    : parts.map(({ raw, url, data, mediaType }) => ({ raw, url, data, mediaType }));
const partsOf = (artifacts: readonly (Artifact | undefined)[] = []): Part[] =>
  artifacts.flatMap((artifact) => artifact?.parts ?? []);

const read = async (events: AsyncIterable<StreamResponse>): Promise<StreamResponse[]> => {
  const seen: StreamResponse[] = [];
  for await (const event of events) seen.push(event);
  return seen;
};
const next = async (events: AsyncIterator<StreamResponse>): Promise<StreamResponse> => {
  const { done, value } = await events.next();
  return done === true ? expect.fail("the stream has ended") : value;
};
const isWorking = ({ task, statusUpdate }: StreamResponse): boolean =>
  (task ?? statusUpdate)?.status.state === "TASK_STATE_WORKING";

it("says what the kits look for", () => {
  const said = Object.values(triggers).flatMap(({ note, reply, chunks = [] }) => [
    ...chunks.map(({ text, url, data }) => text ?? url ?? data ?? "bytes"),
    ...(note === undefined ? [] : [note]),
    ...(reply === undefined ? [] : [reply]),
  ]);
  expect(said).toEqual([
    "Hello from TCK",
    "What else?",
    "Direct message response",
    "Generated text content",
    "https://example.com/output.txt",
    "bytes",
    { key: "value", count: 42 },
    "Stream hello from TCK",
    "Stream task lifecycle",
    "Ordered output",
    "Streamed text content",
    "bytes",
    "chunk-1 ",
    "chunk-2",
    "rejected",
    "What else?",
  ]);
});

it("takes the longest beginning of an id that fits", () => {
  expect(scriptOf("tck-artifact-file-url-1").chunks).toMatchObject([{ url: expect.any(String) }]);
  expect(scriptOf("tck-artifact-file-1").chunks).toMatchObject([{ raw: expect.any(String) }]);
  expect(scriptOf("tck-send-003-1")).toEqual({ end: "completed" });
  expect(scriptOf("msg-1").end).toBe("inputRequired");
});

describe.each([
  ["1.0", "JSONRPC"],
  ["1.0", "HTTP+JSON"],
  ["0.3", "JSONRPC"],
  ["0.3", "HTTP+JSON"],
  ["1.0", "GRPC"],
  ["0.3", "GRPC"],
] as const)("in %s over %s", (version, binding) => {
  let agent: Agent;
  beforeAll(async () => {
    agent = await connect(server.url, { versions: [version], bindings: [binding], grpc });
    expect([agent.protocolVersion, agent.interface.protocolBinding]).toEqual([version, binding]);
  });
  afterAll(() => agent.close());
  const message = (trigger: string, taskId?: string): Parameters<Agent["sendMessage"]>[0] => ({
    message: userMessage("Do it", {
      messageId: `${trigger}-${crypto.randomUUID()}`,
      ...(taskId !== undefined && { taskId }),
    }),
  });
  const taskOf = async (trigger: string, taskId?: string): Promise<Task> =>
    (await agent.sendMessage(message(trigger, taskId))).task ?? expect.fail("no task");

  it.each(short)('answers "%s"', async (trigger, script) => {
    const reply = await agent.sendMessage(message(trigger));
    if (script.reply !== undefined) {
      expect(textOf(reply.message)).toBe(script.reply);
      return;
    }
    expect(reply.task?.status.state).toBe(states[script.end ?? "completed"]);
    expect(reply.task?.status.timestamp).toMatch(/Z$/);
    expect(textOf(reply.task?.status.message)).toBe(script.note ?? "");
    expect(reply.task?.artifacts ?? []).toHaveLength(script.chunks ? 1 : 0);
    // The ProtoJSON of 0.3 has no place for the name of a file.
    if (version === "1.0" || binding === "JSONRPC")
      expect(partsOf(reply.task?.artifacts)[0]?.filename).toBe(script.chunks?.[0]?.filename);
    expect(contents(partsOf(reply.task?.artifacts))).toEqual(contents(script.chunks));
  });

  it.each(short)('streams "%s"', async (trigger, script) => {
    const events = await read(agent.sendStreamingMessage(message(trigger)));
    if (script.reply !== undefined) {
      expect(events.map((event) => textOf(event.message))).toEqual([script.reply]);
      return;
    }
    expect(events[0]?.task?.id).toEqual(expect.any(String));
    const updates = events.flatMap(({ artifactUpdate }) => artifactUpdate ?? []);
    expect(contents(partsOf(updates.map(({ artifact }) => artifact)))).toEqual(contents(script.chunks));
    // The end of what grew is an event of its own.
    expect(updates.map(({ lastChunk }) => lastChunk ?? false)).toEqual(
      updates.map((_, n) => n === updates.length - 1),
    );
    expect(updates.map(({ append }) => append ?? false)).toEqual(updates.map((_, n) => n > 0));
    expect(new Set(updates.map(({ artifact }) => artifact.artifactId)).size).toBe(script.chunks ? 1 : 0);
    expect(events.some(isWorking)).toBe(script.working ?? false);
    expect(events.at(-1)?.statusUpdate?.status.state).toBe(states[script.end ?? "completed"]);
  });

  it.each(rows.filter(([, script]) => isLong(script)))('keeps the stream of "%s" open', async (trigger) => {
    const events = agent.sendStreamingMessage(message(trigger))[Symbol.asyncIterator]();
    const first = await next(events);
    const id = first.task?.id ?? expect.fail("no task");
    if (!isWorking(first)) expect(isWorking(await next(events))).toBe(true);
    const again = agent.subscribeToTask({ id })[Symbol.asyncIterator]();
    expect((await next(again)).task).toMatchObject({ id, status: { state: "TASK_STATE_WORKING" } });
    expect((await agent.cancelTask({ id })).status.state).toBe("TASK_STATE_CANCELED");
    for (const stream of [events, again])
      expect((await next(stream)).statusUpdate?.status.state).toBe("TASK_STATE_CANCELED");
  });

  it("goes on with a task that waits, also by the same id of a message", async () => {
    const { id } = await taskOf("tck-input-required");
    expect((await taskOf("tck-input-required", id)).status.state).toBe(states.inputRequired);
    const { status } = await taskOf("tck-complete-task", id);
    expect([status.state, textOf(status.message)]).toEqual([states.completed, "Hello from TCK"]);
  });
});
