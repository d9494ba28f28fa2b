import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { A2AAgents } from "a2a-typed/session";
import { describe, expect, it } from "vitest";
import { researchAgent03, researchAgent10 } from "./agents.js";

describe("configurations", () => {
  const inFile = (text: string): (() => A2AAgents) => {
    const folder = mkdtempSync(join(tmpdir(), "a2a-session-"));
    return () => {
      try {
        writeFileSync(join(folder, "agents.json"), text);
        return new A2AAgents(join(folder, "agents.json"));
      } finally {
        rmSync(folder, { recursive: true });
      }
    };
  };

  it("come from a file, from an object, or later", async () => {
    await using bot = await researchAgent10();
    const agents = inFile(
      JSON.stringify({ bot: { url: bot.cardUrl, custom_headers: { "X-API-Key": "k" } } }),
    )();
    expect(await agents.getAgentsForLlm("name")).toEqual({ bot: { name: "Research Bot" } });
    expect(new Set(bot.asked.keys)).toEqual(new Set(["k"]));
    expect(await new A2AAgents().getAgents()).toEqual({});
    expect(await new A2AAgents(null).getAgentsForLlm()).toEqual({});
  });

  it.each([
    ["{ secret", /agents\.json is not JSON$/],
    ["[]", /agents\.json must be an object/],
    ['{"a": 1}', /agents\.json: a must be an object with a url/],
    ['{"a": {"url": "ftp://secret"}}', /a url must be an http or https URL$/],
    ['{"a": {"url": "http://a", "headers": {}}}', /a has no member headers; there are url, custom_headers/],
    ['{"a": {"url": "http://a", "custom_headers": {"x": 1}}}', /custom_headers must be an object of texts/],
    ['{"a": {"url": "http://a", "header_origins": "x"}}', /header_origins must be a list/],
  ])("that are wrong are refused: %s", (text, message) => {
    expect(inFile(text)).toThrow(message);
    expect(inFile(text)).not.toThrow(/secret/);
  });

  it("that are not there are refused", () => {
    expect(() => new A2AAgents("/no/such/agents.json")).toThrow(/agents\.json cannot be read/);
  });
});

it("finds agents by skill and tag", async () => {
  await using bot = await researchAgent10();
  await using reviewer = await researchAgent03({
    name: "Reviewer",
    skills: [{ id: "review", name: "Review Code", description: "Reviews.", tags: ["code", "text"] }],
  });
  const agents = new A2AAgents({ bot: { url: bot.cardUrl }, reviewer: { url: reviewer.cardUrl } });
  expect(await agents.findAgents({ tag: "PAPERS" })).toMatchObject({
    bot: { skills: [{ name: "Search Papers" }, { name: "Summarize Paper" }] },
  });
  expect(Object.keys(await agents.findAgents({ tag: "text" }))).toEqual(["bot", "reviewer"]);
  expect(await agents.findAgents({ skill: "summarize", tag: "papers" })).toEqual({
    bot: {
      name: "Research Bot",
      description: "Find and summarize research papers",
      skills: [{ name: "Summarize Paper", description: "Generate a summary of a specific paper" }],
    },
  });
  expect(await agents.findAgents({ skill: "review", tag: "papers" })).toEqual({});
});

it("notices cards that have changed, by their ETag", async () => {
  await using bot = await researchAgent10();
  const agents = new A2AAgents({ bot: { url: bot.cardUrl }, gone: { url: "http://127.0.0.1:1" } });
  expect(await agents.refresh()).toEqual({ bot: "loaded", gone: "unreachable" });
  await agents.getAgents();
  expect(bot.asked.cards).toEqual([200]);
  const before = await agents.open("bot");
  expect(await agents.refresh("bot")).toEqual({ bot: "unchanged" });
  expect(bot.asked.cards).toEqual([200, 304]);
  expect(await agents.open("bot")).toBe(before);
  bot.change({ description: "Find papers, and read them" });
  expect(await agents.refresh()).toEqual({ bot: "changed", gone: "unreachable" });
  expect(bot.asked.cards).toEqual([200, 304, 200]);
  expect(await agents.getAgentForLlm("bot")).toEqual({
    name: "Research Bot",
    description: "Find papers, and read them",
  });
  await expect(agents.refresh("nobody")).rejects.toThrow(/no agent "nobody"; there are bot, gone/);
});

it("checks whether agents answer, not only their cards", async () => {
  await using bot = await researchAgent10();
  await using old = await researchAgent03();
  await using dead = await researchAgent10({
    supportedInterfaces: [{ url: "http://127.0.0.1:1", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  });
  const agents = new A2AAgents({
    bot: { url: bot.cardUrl },
    old: { url: old.cardUrl },
    dead: { url: dead.cardUrl },
    gone: { url: "http://127.0.0.1:1" },
  });
  expect(await agents.checkHealth()).toEqual({
    bot: { ok: true, latencyMs: expect.any(Number), protocolVersion: "1.0" },
    old: { ok: true, latencyMs: expect.any(Number), protocolVersion: "0.3" },
    dead: { ok: false, latencyMs: expect.any(Number), problem: expect.stringContaining("NETWORK") },
    gone: { ok: false, latencyMs: expect.any(Number), problem: expect.stringContaining("NETWORK") },
  });
});

it("asks for a card once, however many want it, and again after a failure", async () => {
  await using bot = await researchAgent10();
  const agents = new A2AAgents({ bot: { url: bot.cardUrl } });
  await Promise.all([agents.getAgents(), agents.getAgent("bot"), agents.open("bot")]);
  expect(bot.asked.cards).toEqual([200]);
  const other = await researchAgent10();
  const { port } = new URL(other.url);
  await other[Symbol.asyncDispose]();
  const late = new A2AAgents({ late: { url: `http://127.0.0.1:${port}/.well-known/agent-card.json` } });
  await expect(late.getAgent("late")).rejects.toMatchObject({ reason: "NETWORK" });
  expect(late.initializationErrors).toHaveProperty("late");
  await expect(late.getAgent("late")).rejects.toMatchObject({ reason: "NETWORK" });
});

it("keeps headers from other origins, unless they are named", async () => {
  await using api = await researchAgent10();
  await using site = await researchAgent10({
    supportedInterfaces: [{ url: api.url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  });
  const config = { url: site.cardUrl, custom_headers: { "X-API-Key": "k" } };
  await expect(new A2AAgents({ site: config }).open("site")).rejects.toMatchObject({
    reason: "NO_COMPATIBLE_INTERFACE",
  });
  const named = new A2AAgents({ site: { ...config, header_origins: [api.url] } });
  await (await named.open("site")).getTask({ id: "task-123" });
  expect(api.asked.keys).toEqual(["k"]);
});
