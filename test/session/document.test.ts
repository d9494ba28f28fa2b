import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  A2AAgents,
  A2ASession,
  A2ATools,
  ArtifactSettings,
  JSONTaskStore,
  LocalFileStore,
  type AgentURLAndCustomHeaders,
  type Task,
  type TaskForLLM,
} from "a2a-typed/session";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { researchAgent03, researchAgent10, type TestAgent } from "./agents.js";
import { abstract, found, papers } from "./seed-data.js";

let folder: string;
let weather: TestAgent;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "a2a-session-"));
  weather = await researchAgent10({
    name: "Weather Agent",
    description: "Get weather forecasts for any location",
  });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await weather[Symbol.asyncDispose]();
});

/** The task that the document prints; its status message is a text there, and this object under "Types". */
const printedTask: TaskForLLM = {
  id: "task-123",
  contextId: "ctx-456",
  kind: "task",
  status: {
    state: "completed",
    message: { contextId: "ctx-456", kind: "message", parts: [{ kind: "text", text: found }] },
  },
  artifacts: [
    {
      artifactId: "art-789",
      description: "Search results for quantum computing papers",
      name: "Search Results",
      parts: [{ kind: "data", data: papers }],
    },
    {
      artifactId: "art-790",
      description: "Abstract of 'Quantum Error Correction Advances' by Chen et al.",
      name: "Abstract",
      parts: [{ kind: "text", text: abstract }],
    },
  ],
};

describe.each([
  ["0.3", researchAgent03],
  ["1.0", researchAgent10],
])("the samples of the document, with an agent of %s", (version, start) => {
  let research: TestAgent;
  let agents: A2AAgents;
  let session: A2ASession;
  let tools: A2ATools;
  let storage: string;
  beforeAll(async () => {
    research = await start();
    storage = join(folder, version);
    // The quick start: LangChain's `tool` is not called here, as it is not installed.
    agents = new A2AAgents({
      weather: { url: weather.cardUrl },
      "research-bot": { url: research.cardUrl, custom_headers: { "X-API-Key": "key_123" } },
    });
    session = new A2ASession(agents, {
      taskStore: new JSONTaskStore(join(storage, "tasks")),
      fileStore: new LocalFileStore(join(storage, "files")),
    });
    tools = new A2ATools(session);
  });
  afterAll(async () => {
    await agents.close();
    await research[Symbol.asyncDispose]();
  });

  it("has six tools with names, descriptions and schemas", async () => {
    expect(tools.tools.map(({ name }) => name)).toEqual([
      "get_agents",
      "get_agent",
      "send_message",
      "get_task",
      "view_text_artifact",
      "view_data_artifact",
    ]);
    const langchainTools = tools.tools.map((def) => ({
      run: def.execute,
      name: def.name,
      description: def.description,
      schema: def.schema,
    }));
    expect(await langchainTools[0]!.run({})).toHaveProperty("research-bot");
    expect(
      langchainTools.every(({ schema, description }) => schema.safeParse({ agentId: 1 }) && description),
    ).toBe(true);
  });

  it("getAgents", async () => {
    const result = await tools.getAgents.execute({});
    expect(result).toEqual({
      "research-bot": { name: "Research Bot", description: "Find and summarize research papers" },
      weather: { name: "Weather Agent", description: "Get weather forecasts for any location" },
    });
    expect(Object.keys(result)).toEqual(["research-bot", "weather"]);
  });

  it("getAgent", async () => {
    expect(await tools.getAgent.execute({ agentId: "research-bot" })).toEqual({
      name: "Research Bot",
      description: "Find and summarize research papers",
      skills: [
        { name: "Search Papers", description: "Search for papers by topic, author, or keyword" },
        { name: "Summarize Paper", description: "Generate a summary of a specific paper" },
      ],
    });
  });

  it("sendMessage and getTask", async () => {
    expect(
      await tools.sendMessage.execute({
        agentId: "research-bot",
        message: "Find recent papers on quantum computing",
      }),
    ).toEqual(printedTask);
    await tools.sendMessage.execute({
      agentId: "research-bot",
      message: "Summarize the most recent result",
      contextId: "ctx-456",
    });
    const [first, second] = research.asked.messages;
    expect(first).toMatchObject({ parts: [{ text: "Find recent papers on quantum computing" }] });
    expect(first?.contextId).toMatch(/^[\da-f-]{36}$/);
    expect(second?.contextId).toBe("ctx-456");
    expect(new Set(research.asked.keys)).toEqual(new Set(["key_123"]));
    expect(await tools.getTask.execute({ agentId: "research-bot", taskId: "task-123" })).toEqual(printedTask);
    expect(readdirSync(join(storage, "tasks"))).toEqual(["task-123.json"]);
  });

  it("viewTextArtifact", async () => {
    expect(
      await tools.viewTextArtifact.execute({
        agentId: "research-bot",
        taskId: "task-123",
        artifactId: "art-790",
        lineStart: 1,
        lineEnd: 3,
      }),
    ).toEqual({
      artifactId: "art-790",
      description: "Abstract of 'Quantum Error Correction Advances' by Chen et al.",
      name: "Abstract",
      parts: [{ kind: "text", text: abstract.split("\n").slice(0, 3).join("\n") }],
    });
  });

  it("viewDataArtifact: the end of a range is included here, and is not in DataArtifacts.view", async () => {
    expect(
      await tools.viewDataArtifact.execute({
        agentId: "research-bot",
        taskId: "task-123",
        artifactId: "art-789",
        rows: "0-1",
        columns: "title,year",
      }),
    ).toEqual({
      artifactId: "art-789",
      description: "Search results for quantum computing papers",
      name: "Search Results",
      parts: [
        {
          kind: "data",
          data: [
            { title: "Quantum Error Correction Advances", year: 2025 },
            { title: "Topological Quantum Computing Survey", year: 2024 },
          ],
        },
      ],
    });
  });

  it("A2ASession gives whole tasks, and stores them", async () => {
    const response = await session.sendMessage("research-bot", "Find recent papers on quantum computing");
    const again = await session.sendMessage("research-bot", "Summarize the most recent result", {
      contextId: response.contextId,
    });
    const task: Task = await session.getTask("research-bot", "task-123");
    expect(again).toEqual(task);
    expect(task).toMatchObject({
      kind: "task",
      id: "task-123",
      contextId: "ctx-456",
      status: { state: "completed", message: { role: "agent", messageId: "m" } },
      artifacts: [{ parts: [{ kind: "data", data: papers }] }, { parts: [{ kind: "text", text: abstract }] }],
    });
    expect(JSON.parse(readFileSync(join(storage, "tasks/task-123.json"), "utf8"))).toEqual(task);
    expect(await session.taskStore.load("task-123")).toEqual(task);
  });
});

describe("A2AAgents", () => {
  const translator = {
    name: "Universal Translator",
    description: "Translate text and audio between 50+ languages",
    skills: [
      {
        id: "translate-text",
        name: "Translate Text",
        description: "Translate text between any supported language pair",
        tags: ["translate", "text", "language"],
        examples: ["Translate 'hello' to French"],
      },
      {
        id: "translate-audio",
        name: "Translate Audio",
        description: "Translate audio between any supported language pair",
        tags: ["translate", "audio", "language"],
      },
    ],
    capabilities: { streaming: false, pushNotifications: false },
    defaultInputModes: ["text", "audio/mpeg"],
    defaultOutputModes: ["text", "audio/mpeg"],
  };
  const reviewer = {
    name: "Code Reviewer",
    description: "Review code for best practices",
    skills: [
      {
        id: "review",
        name: "Review Code",
        description: "Review code for best practices, identify bugs, and suggest improvements",
        tags: ["code"],
      },
    ],
  };

  it("reproduces the samples of the document; two of them shorten the translator's description", async () => {
    await using review = await researchAgent10(reviewer);
    await using translate = await researchAgent03(translator);
    const agents = new A2AAgents({
      "language-translator": { url: translate.cardUrl, custom_headers: { Authorization: "Bearer tok_123" } },
    });
    await agents.addAgent("code-reviewer", review.cardUrl, { "X-API-Key": "key_123" });
    await expect(agents.addAgent("code-reviewer", review.cardUrl)).rejects.toThrow(/code-reviewer" already/);
    expect(new Set(review.asked.keys)).toEqual(new Set(["key_123"]));

    const { description } = translator;
    expect(await agents.getAgentsForLlm("name")).toEqual({
      "code-reviewer": { name: "Code Reviewer" },
      "language-translator": { name: "Universal Translator" },
    });
    const basic = await agents.getAgentsForLlm();
    expect(basic).toEqual({
      "code-reviewer": { name: "Code Reviewer", description: "Review code for best practices" },
      "language-translator": { name: "Universal Translator", description },
    });
    expect(Object.keys(basic)).toEqual(["code-reviewer", "language-translator"]);
    expect(await agents.getAgentsForLlm("skills")).toEqual({
      "code-reviewer": {
        name: "Code Reviewer",
        description: "Review code for best practices",
        skills: ["Review Code"],
      },
      "language-translator": {
        name: "Universal Translator",
        description,
        skills: ["Translate Text", "Translate Audio"],
      },
    });
    expect(await agents.getAgentsForLlm("full")).toEqual({
      "code-reviewer": {
        name: "Code Reviewer",
        description: "Review code for best practices",
        skills: [
          {
            name: "Review Code",
            description: "Review code for best practices, identify bugs, and suggest improvements",
          },
        ],
      },
      "language-translator": {
        name: "Universal Translator",
        description,
        skills: [
          { name: "Translate Text", description: "Translate text between any supported language pair" },
          { name: "Translate Audio", description: "Translate audio between any supported language pair" },
        ],
      },
    });
    expect(await agents.getAgentForLlm("language-translator")).toEqual({
      name: "Universal Translator",
      description,
    });
    expect(await agents.getAgentForLlm("nobody")).toBeNull();
    expect(await agents.getAgent("nobody")).toBeNull();

    // The URL is that of the sample's own agent here, and the card has the protocol version besides.
    const agent: AgentURLAndCustomHeaders | null = await agents.getAgent("language-translator");
    expect(agent).toEqual({
      agentCard: { ...translator, url: translate.url, version: "1.0.0", protocolVersion: "0.3" },
      customHeaders: { Authorization: "Bearer tok_123" },
    });
    expect(Object.keys(await agents.getAgents())).toEqual(["code-reviewer", "language-translator"]);
    await agents.close();
  });
});

it("ArtifactSettings have the defaults of the document", () => {
  expect(new ArtifactSettings()).toEqual({
    sendMessageCharacterLimit: 50_000,
    minimizedObjectStringLength: 5_000,
    viewArtifactCharacterLimit: 50_000,
  });
  expect(
    new ArtifactSettings({ sendMessageCharacterLimit: 100_000, minimizedObjectStringLength: 10_000 }),
  ).toEqual({
    sendMessageCharacterLimit: 100_000,
    minimizedObjectStringLength: 10_000,
    viewArtifactCharacterLimit: 50_000,
  });
});
