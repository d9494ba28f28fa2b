import { Ajv } from "ajv";
import {
  A2AAgents,
  A2ASession,
  A2ATools,
  aiSdkTools,
  callMcpTool,
  callOpenAiTool,
  callTool,
  langChainTools,
  mcpTools,
  openAiChatTools,
  openAiResponseTools,
} from "a2a-typed/session";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { researchAgent03, type TestAgent } from "./agents.js";

let bot: TestAgent;
let tools: A2ATools;
beforeAll(async () => {
  bot = await researchAgent03();
  tools = new A2ATools(new A2ASession(new A2AAgents({ bot: { url: bot.cardUrl } })));
});
afterAll(() => bot[Symbol.asyncDispose]());

const summary = { bot: { name: "Research Bot", description: "Find and summarize research papers" } };

describe("schemas", () => {
  it("say the same as JSON Schema and as zod", () => {
    const ajv = new Ajv({ strict: true });
    const inputs: Record<string, unknown>[] = [
      {},
      { agentId: "a" },
      { agentId: "a", message: "hi" },
      { agentId: "a", message: "hi", timeout: 5, data: [1, {}], files: ["x"] },
      { agentId: "a", message: "hi", timeout: -5 },
      { agentId: "a", message: 1 },
      { agentId: "a", taskId: "t" },
      { agentId: "a", taskId: "t", pollInterval: "1" },
      { agentId: "a", taskId: "t", artifactId: "x" },
      { agentId: "a", taskId: "t", artifactId: "x", lineStart: 1.5, rows: 1 },
      { agentId: "a", taskId: "t", artifactId: "x", lineStart: 1, rows: "1" },
    ];
    for (const { name, schema, jsonSchema } of tools.tools) {
      expect(jsonSchema).toMatchObject({ type: "object" });
      const check = ajv.compile(jsonSchema);
      const known = Object.keys(schema.shape);
      for (const input of inputs) {
        const own = Object.fromEntries(Object.entries(input).filter(([member]) => known.includes(member)));
        expect([name, own, check(own)]).toEqual([name, own, schema.safeParse(own).success]);
      }
    }
  });

  it("describe every member", () => {
    for (const { name, jsonSchema } of tools.tools) {
      const members = Object.entries(jsonSchema["properties"] as Record<string, { description?: string }>);
      expect([name, members.filter(([, member]) => !member.description)]).toEqual([name, []]);
    }
  });
});

describe("shapes", () => {
  it("AI SDK", async () => {
    const made = aiSdkTools(tools);
    expect(Object.keys(made)).toEqual(tools.tools.map(({ name }) => name));
    expect(made["send_message"]).toMatchObject({ description: tools.sendMessage.description });
    expect(made["get_agent"]?.inputSchema.safeParse({}).success).toBe(false);
    expect(await made["get_agents"]?.execute({})).toEqual(summary);
  });

  it("LangChain, made by its tool()", async () => {
    const made = langChainTools(tools, (run, fields) => ({ run, ...fields }));
    expect(made.map(({ name }) => name)).toEqual(tools.tools.map(({ name }) => name));
    expect(made[1]?.schema.safeParse({ agentId: "bot" }).success).toBe(true);
    expect(JSON.parse(await made[0]!.run({}))).toEqual(summary);
  });

  it("OpenAI, chat completions and responses", async () => {
    expect(openAiChatTools(tools)[1]).toEqual({
      type: "function",
      function: {
        name: "get_agent",
        description: tools.getAgent.description,
        parameters: tools.getAgent.jsonSchema,
      },
    });
    expect(openAiResponseTools(tools)[1]).toMatchObject({
      type: "function",
      name: "get_agent",
      strict: false,
    });
    expect(JSON.parse(await callOpenAiTool(tools, { name: "get_agents", arguments: "" }))).toEqual(summary);
    expect(await callOpenAiTool(tools, { name: "get_agent", arguments: '{"agentId": "bot"}' })).toContain(
      "Search Papers",
    );
    expect(await callOpenAiTool(tools, { name: "get_agent", arguments: '{"agentId' })).toContain(
      "no JSON object",
    );
  });

  it("Model Context Protocol", async () => {
    expect(mcpTools(tools)[0]).toEqual({
      name: "get_agents",
      description: tools.getAgents.description,
      inputSchema: tools.getAgents.jsonSchema,
    });
    expect(await callMcpTool(tools, { name: "get_agents" })).toEqual({
      content: [{ type: "text", text: JSON.stringify(summary) }],
      structuredContent: summary,
    });
    expect(await callMcpTool(tools, { name: "x" })).toMatchObject({ isError: true });
  });

  it("any other, by name", async () => {
    expect(await callTool(tools, "get_agents", undefined)).toEqual(summary);
    expect(await callTool(tools, "get_agent", [])).toMatchObject({ error: true });
  });
});
