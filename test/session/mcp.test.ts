import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { defineAgent, serve, type RunningServer } from "a2a-typed/server";
import { textOf } from "a2a-typed/v1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../cli/run.js";
import { papers } from "./seed-data.js";

const tsx = new URL("../../node_modules/tsx/dist/cli.mjs", import.meta.url).pathname;
const main = new URL("../../src/cli/main.ts", import.meta.url).pathname;

const agentNamed = (name: string) =>
  defineAgent({
    card: {
      name,
      description: `${name} finds papers.`,
      skills: [{ id: "find", name: "Find", description: "Finds papers.", tags: ["papers"] }],
    },
    async handle(ctx, message) {
      ctx.artifact([{ data: papers }], { name: "papers", artifactId: "data" });
      ctx.artifact([{ text: "one\ntwo\nthree" }], { name: "abstract", artifactId: "text" });
      return ctx.completed(`${name} heard: ${textOf(message)}`);
    },
  });

interface Answer {
  readonly structuredContent: Record<string, unknown>;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly isError?: boolean;
}

describe("an MCP client of a2a-typed mcp", { timeout: 60_000 }, () => {
  let folder: string;
  let servers: RunningServer[];
  let client: Client;
  let transport: StdioClientTransport;
  let err = "";
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "a2a-session-"));
    servers = [
      await serve(agentNamed("Newer"), { port: 0, versions: ["1.0"] }),
      await serve(agentNamed("Older"), { port: 0, versions: ["0.3"] }),
    ];
    const [newer, older] = servers.map(({ url }) => ({ url }));
    const agents = join(folder, "agents.json");
    writeFileSync(agents, JSON.stringify({ newer, older, gone: { url: "http://127.0.0.1:1" } }));
    transport = new StdioClientTransport({
      command: process.execPath,
      args: [tsx, main, "mcp", "--agents", agents, "--storage", join(folder, "storage")],
      stderr: "pipe",
    });
    transport.stderr?.on("data", (chunk) => (err += String(chunk)));
    client = new Client({ name: "test", version: "1" });
    await client.connect(transport);
  }, 60_000);
  afterAll(async () => {
    await client.close();
    await Promise.all(servers.map((server) => server.close()));
    rmSync(folder, { recursive: true, force: true });
  });

  const call = async (name: string, input: Record<string, unknown> = {}): Promise<Answer> => {
    const answer = (await client.callTool({ name, arguments: input })) as unknown as Answer;
    expect(JSON.parse(answer.content[0]!.text)).toEqual(answer.structuredContent);
    return answer;
  };

  it("lists six tools, whose schemas say what they take", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name, inputSchema }) => [name, inputSchema.required ?? []])).toEqual([
      ["get_agents", []],
      ["get_agent", ["agentId"]],
      ["send_message", ["agentId", "message"]],
      ["get_task", ["agentId", "taskId"]],
      ["view_text_artifact", ["agentId", "taskId", "artifactId"]],
      ["view_data_artifact", ["agentId", "taskId", "artifactId"]],
    ]);
    const send = tools.find(({ name }) => name === "send_message");
    expect(send?.inputSchema).toMatchObject({
      type: "object",
      properties: {
        message: { type: "string" },
        timeout: { type: "number" },
        files: { items: { type: "string" } },
      },
    });
  });

  it.each([
    ["newer", "Newer"],
    ["older", "Older"],
  ])("calls each of them with the agent %s", async (agentId, name) => {
    const { structuredContent: agents } = await call("get_agents");
    expect(agents).toEqual({
      newer: { name: "Newer", description: "Newer finds papers." },
      older: { name: "Older", description: "Older finds papers." },
    });
    expect((await call("get_agent", { agentId })).structuredContent).toEqual({
      name,
      description: `${name} finds papers.`,
      skills: [{ name: "Find", description: "Finds papers." }],
    });
    const { structuredContent: task, isError } = await call("send_message", { agentId, message: "hello" });
    expect(isError).toBeUndefined();
    expect(task).toMatchObject({
      kind: "task",
      status: { state: "completed", message: { parts: [{ kind: "text", text: `${name} heard: hello` }] } },
      artifacts: [
        { artifactId: "data", parts: [{ kind: "data", data: papers }] },
        { artifactId: "text", parts: [{ kind: "text", text: "one\ntwo\nthree" }] },
      ],
    });
    const taskId = task["id"];
    expect((await call("get_task", { agentId, taskId })).structuredContent).toEqual(task);
    const text = await call("view_text_artifact", {
      agentId,
      taskId,
      artifactId: "text",
      lineStart: 2,
      lineEnd: 2,
    });
    expect(text.structuredContent).toMatchObject({
      name: "abstract",
      parts: [{ kind: "text", text: "two" }],
    });
    const data = { agentId, taskId, artifactId: "data", rows: "0,2", columns: "year" };
    expect((await call("view_data_artifact", data)).structuredContent).toMatchObject({
      parts: [{ kind: "data", data: [{ year: 2025 }, { year: 2024 }] }],
    });
  });

  it("gets errors as answers: agents that are not there, files that may not be sent, tools that do not exist", async () => {
    const failed = async (name: string, input: Record<string, unknown>): Promise<unknown> => {
      const { isError, structuredContent } = await call(name, input);
      expect(isError).toBe(true);
      return structuredContent["error_message"];
    };
    expect(await failed("send_message", { agentId: "gone", message: "hi" })).toMatch(/cannot be reached/);
    expect(await failed("get_agent", { agentId: "nobody" })).toMatch(/there are gone, newer, older/);
    expect(await failed("send_message", { agentId: "newer", message: "hi", files: [main] })).toMatch(
      /may be sent from/,
    );
    expect(await failed("send_message", { agentId: "newer" })).toMatch(/called wrongly. message/);
    expect(await failed("no_tool", {})).toMatch(/no tool no_tool; there are get_agents/);
    expect(err).toBe("");
  });

  it("ends when its client is gone", async () => {
    const { pid } = transport;
    await client.close();
    await expect.poll(() => isRunning(pid!), { timeout: 10_000 }).toBe(false);
  });
});

it("says what is wrong with its agents", async () => {
  expect(await run(["mcp", "--agents", "/no/such/file"])).toMatchObject({
    code: 1,
    err: "a2a-typed: CONFIG: /no/such/file cannot be read\n",
  });
  expect((await run(["mcp"])).code).toBe(2);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
