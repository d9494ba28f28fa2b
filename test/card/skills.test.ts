/** What a skill says beyond the card, where the server is told which skill a message asks for. */
import { describe, expect, it } from "vitest";
import { serve } from "../../src/server.js";
import { bearer } from "../../src/auth.js";
import { agentOf, quiet, skill } from "../server/agents.js";
import { bindings, host, reasonOf, say } from "../rules/support.js";

const draw = {
  ...skill,
  id: "draw",
  inputModes: ["image/png"],
  outputModes: ["image/svg+xml"],
  securityRequirements: [{ schemes: { token: { list: ["draw"] } } }],
};
const card = { name: "T", description: "d", skills: [draw, { ...skill, id: "talk" }] };
const agent = agentOf(async () => "ok", { card });
const auth = {
  schemes: {
    token: bearer({
      painter: { principal: "painter", scopes: ["call", "draw"] },
      talker: { principal: "talker", scopes: ["call"] },
      stranger: { principal: "stranger", scopes: ["draw"] },
    }),
  },
  requirements: [{ schemes: { token: { list: ["call"] } } }],
};
const as = (name: string) => ({ authorization: `Bearer ${name}` });
const of = (mediaType: string) => say("", { parts: [{ raw: "AA==", mediaType }] });

describe.each(bindings)("a skill over %s", (binding) => {
  it("has modes instead of the card's, and needs on top of the card's (A2A-4.4.5-b, A2A-4.4.1-d)", async () => {
    await using on = await host(binding, agent, {
      auth,
      skillOf: (_, ctx) => ctx.headers?.["x-skill"],
    });
    const ask = async (name: string, id: string | undefined, mediaType: string): Promise<unknown> => {
      const skillHeader: Record<string, string> = id === undefined ? {} : { "x-skill": id };
      const answer = await on.call("SendMessage", of(mediaType), { ...as(name), ...skillHeader });
      return answer.status === 403 || !("error" in answer.json) ? answer.status : reasonOf(answer);
    };
    const refused = "CONTENT_TYPE_NOT_SUPPORTED";
    expect(await ask("painter", "draw", "image/png")).toBe(200);
    expect(await ask("painter", "draw", "text/plain")).toBe(refused);
    expect(await ask("painter", "talk", "text/plain")).toBe(200);
    expect(await ask("painter", "talk", "image/png")).toBe(refused);
    // Without a skill, what any of them takes.
    expect(await ask("painter", undefined, "image/png")).toBe(200);
    expect(await ask("painter", undefined, "audio/ogg")).toBe(refused);
    expect(await ask("talker", "draw", "image/png")).toBe(403);
    expect(await ask("stranger", "draw", "image/png")).toBe(403);
    expect(await ask("talker", "talk", "text/plain")).toBe(200);
  });
});

it("the card says it all (A2A-4.4.5-b)", async () => {
  await using server = await serve(agent, { port: 0, logger: quiet, auth });
  const reply = await fetch(`${server.url}/.well-known/agent-card.json`, {
    headers: { "a2a-version": "1.0" },
  });
  expect(((await reply.json()) as { skills: unknown }).skills).toEqual(card.skills);
});
