import { createClient, httpJson, jsonRpc } from "a2a-typed";
import { A2A, TaskState, textOf, userMessage } from "a2a-typed/v1";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runExample, type RunningExample } from "./run-example.js";

const urlOf = async (example: RunningExample): Promise<string> =>
  (await example.printed(/listens on (http:\S+)/))[1] ?? "";

// Each starts processes of its own, which takes its time on a busy machine.
describe("examples", { timeout: 60_000 }, () => {
  it("echo.ts is an agent in 15 lines; client.ts talks to it", async () => {
    const source = readFileSync(new URL("../../examples/echo.ts", import.meta.url), "utf8");
    expect(source.trimEnd().split("\n").length).toBeLessThanOrEqual(15);
    await using agent = runExample("echo.ts");
    const url = await urlOf(agent);
    await using client = runExample("client.ts", [url]);
    expect(await client.exit, client.output()).toBe(0);
    const lines = client.output().trimEnd().split("\n");
    expect(lines[0]).toMatch(/^\S+ TASK_STATE_COMPLETED echo: hello$/);
    expect(lines[1]).toBe("echo: hello again");
    expect(lines.slice(2)).toEqual([
      "[TASK_STATE_COMPLETED]",
      "no such task",
      expect.stringMatching(/^ListTasks: \d+ ms$/),
      "2 tasks",
    ]);
  });

  it("streaming.ts sends words as they come", async () => {
    await using agent = runExample("streaming.ts");
    await using client = createClient(A2A, httpJson({ url: await urlOf(agent) }));
    const chunks: string[] = [];
    const states: string[] = [];
    for await (const event of client.sendStreamingMessage({ message: userMessage("a b c") })) {
      if (event.artifactUpdate) chunks.push(textOf(event.artifactUpdate.artifact));
      if (event.statusUpdate) states.push(event.statusUpdate.status.state);
    }
    expect(chunks.filter(Boolean)).toEqual(["You ", "said: ", "a ", "b ", "c"]);
    expect(states).toEqual([TaskState.WORKING, TaskState.COMPLETED]);
  });

  it("session.ts lets the tools of a model talk to an agent", async () => {
    const storage = mkdtempSync(join(tmpdir(), "a2a-example-"));
    try {
      await using agent = runExample("echo.ts");
      await using model = runExample("session.ts", [await urlOf(agent), storage]);
      expect(await model.exit, model.output()).toBe(0);
      const lines = model.output().trimEnd().split("\n");
      expect(lines[0]).toBe("{ echo: { name: 'Echo', description: 'Says what it hears.' } }");
      expect(JSON.parse(lines[1] ?? "")).toMatchObject({ kind: "task", status: { state: "completed" } });
      expect(JSON.parse(lines[2] ?? "")).toMatchObject({ parts: [{ kind: "text", text: "echo: hello" }] });
      expect(JSON.parse(lines[3] ?? "")).toMatchObject({ name: "Echo", skills: [{ name: "Echo" }] });
      expect(lines.slice(-2)).toEqual(["{ echo: 'unchanged' }", "true 1.0"]);
      expect(readdirSync(join(storage, "tasks"))).toHaveLength(1);
    } finally {
      rmSync(storage, { recursive: true });
    }
  });

  it("input-required.ts asks until it knows enough", async () => {
    await using agent = runExample("input-required.ts");
    await using client = createClient(A2A, jsonRpc({ url: await urlOf(agent) }));
    const say = async (text: string, taskId?: string) => {
      const { task } = await client.sendMessage({ message: userMessage(text, taskId ? { taskId } : {}) });
      if (!task) throw new Error("the reply is not a task");
      return { id: task.id, state: task.status.state, said: textOf(task.status.message ?? task) };
    };
    const first = await say("book a table");
    expect(first).toMatchObject({ state: TaskState.INPUT_REQUIRED, said: "Which city?" });
    expect(await say("Rome", first.id)).toMatchObject({ id: first.id, said: "For how many?" });
    expect(await say("many", first.id)).toMatchObject({ said: "A number, please: for how many?" });
    expect(await say("4", first.id)).toMatchObject({
      state: TaskState.COMPLETED,
      said: "A table for 4 in Rome.",
    });
  });

  it("router.ts serves 0.3 and pinned-v03.ts speaks it", async () => {
    await using agent = runExample("router.ts");
    const url = await urlOf(agent);
    await using client = runExample("pinned-v03.ts", [url]);
    expect(await client.exit, client.output()).toBe(0);
    expect(client.output()).toMatch(/^\S+ completed echo: hello\n$/);
  });

  it("any-agent.ts connects to an agent, and to it in an older version", async () => {
    await using agent = runExample("echo.ts");
    await using client = runExample("any-agent.ts", [await urlOf(agent)]);
    expect(await client.exit, client.output()).toBe(0);
    expect(client.output().trimEnd().split("\n")).toEqual([
      "Echo speaks A2A 1.0 over JSONRPC",
      "echo: hello",
      "echo: hello",
      "0.3: echo: hello again",
    ]);
  });

  it("follow.ts follows a task, and finds it again", async () => {
    await using agent = runExample("streaming.ts");
    await using client = runExample("follow.ts", [await urlOf(agent)]);
    expect(await client.exit, client.output()).toBe(0);
    expect(client.output().trimEnd().split("\n")).toEqual([
      "TASK_STATE_WORKING",
      "TASK_STATE_COMPLETED",
      "You said: Tell me a story",
      "TASK_STATE_COMPLETED 1",
    ]);
  });

  it("convert.ts says what a message loses on its way to 0.3", async () => {
    await using example = runExample("convert.ts");
    expect(await example.exit, example.output()).toBe(0);
    expect(example.output()).toContain("/parts/0/mediaType: dropped");
    expect(example.output()).toContain('"data_part_compat": true');
  });

  it("codec.ts reads and writes both generations", async () => {
    await using example = runExample("codec.ts");
    expect(await example.exit, example.output()).toBe(0);
    const lines = example.output().trimEnd().split("\n");
    expect(lines.slice(0, 5)).toEqual([
      "TASK_STATE_COMPLETED done",
      '{"kind":"text","text":"<b>hi</b>"} [{"path":"/mediaType","code":"dropped"}]',
      "messageId: required, found nothing",
      "TASK_STATE_INPUT_REQUIRED canceled",
      "submitted working input-required completed canceled failed rejected auth-required unknown",
    ]);
    expect(JSON.parse(lines[5] ?? "")).toMatchObject({
      supportedInterfaces: [{ url: "https://agent.example.com", protocolVersion: "1.0" }],
    });
    expect(JSON.parse(lines[6] ?? "")).toMatchObject({
      url: "https://agent.example.com",
      security: [{ bearer: [] }],
    });
  });

  it("wire.ts speaks 0.3 with nothing but fetch", async () => {
    await using agent = runExample("echo.ts");
    await using example = runExample("wire.ts", [await urlOf(agent)]);
    expect(await example.exit, example.output()).toBe(0);
    expect(example.output()).toContain("echo: hello");
  });

  it("webhooks.ts gets every event of its task", async () => {
    await using example = runExample("webhooks.ts");
    expect(await example.exit, example.output()).toBe(0);
    expect(example.output().trimEnd().split("\n")).toEqual([
      "TASK_STATE_SUBMITTED",
      "TASK_STATE_WORKING",
      "[ { text: 'done' } ]",
      "TASK_STATE_COMPLETED",
    ]);
  });

  it("webhook-receiver.ts verifies what the agent signed", async () => {
    await using example = runExample("webhook-receiver.ts");
    expect(await example.exit, example.output()).toBe(0);
    expect(example.output()).toBe("TASK_STATE_COMPLETED done\n");
  });

  it("signed-card.ts verifies what the agent signed, and nothing else", async () => {
    await using example = runExample("signed-card.ts");
    expect(await example.exit, example.output()).toBe(0);
    expect(example.output()).toBe("Notary is signed with 2030-01\ntrue false\n");
  });

  it("auth.ts lets in who shows a token with the scope", async () => {
    await using example = runExample("auth.ts");
    expect(await example.exit, example.output()).toBe(0);
    expect(example.output().trimEnd().split("\n")).toEqual([
      "alice booked 12 euros",
      'PERMISSION_DENIED Bearer error="insufficient_scope", scope="book"',
      'UNAUTHENTICATED Bearer error="invalid_token"',
    ]);
  });

  it("demo.ts runs everything without a network and exits with 0", async () => {
    await using demo = runExample("demo.ts");
    expect(await demo.exit, demo.output()).toBe(0);
    const output = demo.output();
    expect(output).toMatch(/1\.0 over JSON-RPC.*\n.*echo: hello/);
    expect(output).toMatch(/1\.0 over HTTP\+JSON.*\n.*echo: hello/);
    expect(output).toMatch(/100 chunks/);
    expect(output).toMatch(/0\.3 over JSON-RPC.*\n.*echo: hello/);
    expect(output).toMatch(/0\.3 over HTTP\+JSON.*\n.*echo: hello/);
    expect(output).toMatch(/0\.2 over JSON-RPC.*\n.*echo: hello/);
    expect(output).toContain("Echo speaks 1.0  echo: hello");
    expect(output).toContain("Older speaks 0.3  echo: hello");
  });
});
