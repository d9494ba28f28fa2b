/** What an agent gives, wrongly: it fails in the agent, and neither the task nor its callers are harmed. */
import { describe, expect, test } from "vitest";
import { A2AError } from "../../src/errors.js";
import type { Ctx, Handler } from "../../src/server.js";
import { userMessage, type Message } from "../../src/versions/pivot.js";
import { agentOf, gate, start } from "./agents.js";

/** Handlers in JavaScript, or behind an `any`, may give what their types forbid. */
const untyped = (handle: (ctx: Ctx) => unknown): Handler =>
  ((ctx: Ctx) => Promise.resolve(handle(ctx))) as Handler;

const nested = (levels: number): unknown => JSON.parse(`{"data":${"[".repeat(levels)}${"]".repeat(levels)}}`);

describe("content that cannot go on the wire fails the task at once", () => {
  const cases: [string, (ctx: Ctx) => unknown][] = [
    ["a media type that is no text", () => ({ text: "a", mediaType: 5 })],
    ["raw that is no base64", () => ({ raw: "***" })],
    ["data that is nested too deeply", () => nested(200)],
    [
      "an artifact id that is no text",
      (ctx) => ctx.artifact({ artifactId: 5, parts: [{ text: "a" }] } as never),
    ],
    ["an empty artifact id", (ctx) => ctx.artifact("a", { artifactId: "" })],
    ["an artifact name without JSON form", (ctx) => ctx.artifact("a", { name: 10n } as never)],
    ["an open artifact with an empty id", (ctx) => ctx.open({ artifactId: "" }).write("a")],
    ["a message id that is no text", () => ({ messageId: 5, role: "ROLE_AGENT", parts: [{ text: "a" }] })],
    ["status metadata that is no object", (ctx) => ctx.working("a", { metadata: 5 as never })],
    ["extensions that are no texts", (ctx) => ctx.artifact("a", { extensions: [1] as never })],
  ];
  test.each(cases)("%s", async (_name, give) => {
    const { client } = start(agentOf(untyped(give)));
    const { task } = await client.sendMessage({ message: userMessage("hi") });
    expect(task?.status.state).toBe("TASK_STATE_FAILED");
    expect(task?.status.message?.parts).toEqual([{ text: "The agent failed to work on this." }]);
    expect(task?.artifacts).toBeUndefined();
  });
});

test("members that the protocol does not know stay behind", async () => {
  const handle = untyped((ctx) => {
    ctx.working({
      messageId: "m",
      role: "ROLE_AGENT",
      parts: [{ text: "a", more: 10n }],
      more: 10n,
    } as never);
    return { text: "b", kind: "text", more: 10n };
  });
  const { client } = start(agentOf(handle));
  const { task } = await client.sendMessage({ message: userMessage("hi") });
  expect(task?.status.state).toBe("TASK_STATE_COMPLETED");
  expect(task?.history?.[1]?.parts).toEqual([{ text: "a" }]);
  expect(task?.artifacts?.[0]?.parts).toEqual([{ text: "b" }]);
});

test("what a handler does with its copies changes no task", async () => {
  const spoil = (message: Message | undefined): void => {
    const [part] = message?.parts ?? [];
    if (part?.data !== undefined) Object.assign(part.data as object, { spoilt: true });
    if (message?.metadata) message.metadata["spoilt"] = true;
    message?.extensions?.push("spoilt");
  };
  const arrived = gate();
  const { client } = start(
    agentOf(async (ctx, message) => {
      spoil(message);
      spoil(ctx.task.history?.[0]);
      ctx.task.status.state = "TASK_STATE_FAILED";
      arrived.open();
      for await (const further of ctx.inbox) {
        spoil(further);
        break;
      }
      return "done";
    }),
    { checkInputModes: false },
  );
  const message = (): Message => ({
    ...userMessage(""),
    parts: [{ data: { a: 1 } }],
    metadata: { b: 2 },
    extensions: ["urn:x"],
  });
  const first = client.sendMessage({ message: message() });
  await arrived.passed;
  const { tasks } = await client.listTasks({});
  await client.sendMessage({ message: { ...message(), taskId: tasks[0]?.id ?? "" } });
  const { task } = await first;
  expect(task?.status.state).toBe("TASK_STATE_COMPLETED");
  expect(task?.history).toHaveLength(2);
  for (const kept of task?.history ?? []) {
    expect(kept).toMatchObject({ parts: [{ data: { a: 1 } }], metadata: { b: 2 }, extensions: ["urn:x"] });
    expect(JSON.stringify(kept)).not.toContain("spoilt");
  }
});

test("failures of the agent as a client of others are not for its callers", async () => {
  const { client } = start(
    agentOf(async () => {
      throw new A2AError("NETWORK", "connect ECONNREFUSED 10.0.0.5:5432");
    }),
  );
  const { task } = await client.sendMessage({ message: userMessage("hi") });
  expect(task?.status.state).toBe("TASK_STATE_FAILED");
  expect(JSON.stringify(task)).not.toContain("10.0.0.5");
});
