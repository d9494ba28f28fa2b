/** What a value cannot make conversion do: multiply without end, or lose something in silence. */
import { describe, expect, it } from "vitest";
import { convert } from "../../src/convert.js";

const up = { from: "0.3", to: "1.0" } as const;

const flows = {
  authorizationCode: { authorizationUrl: "https://a.example/a", tokenUrl: "https://a.example/t", scopes: {} },
  clientCredentials: { tokenUrl: "https://a.example/t", scopes: {} },
  implicit: { authorizationUrl: "https://a.example/a", scopes: {} },
  password: { tokenUrl: "https://a.example/t", scopes: {} },
};

/** A card whose requirement has `4 ** count` ways in, once its schemes are split. */
function manyWays(count: number): object {
  const names = Array.from({ length: count }, (_, index) => `oauth${String(index)}`);
  const requirement = Object.fromEntries(names.map((name) => [name, []]));
  return {
    name: "A",
    description: "D",
    version: "1",
    protocolVersion: "0.3.0",
    url: "https://a.example/rpc",
    capabilities: {},
    defaultInputModes: [],
    defaultOutputModes: [],
    skills: [{ id: "s", name: "S", description: "d", tags: [], security: [{}, requirement] }],
    securitySchemes: Object.fromEntries(names.map((name) => [name, { type: "oauth2", flows }])),
    security: [requirement],
  };
}

describe("splitOAuthFlows", () => {
  it("keeps 64 of the ways in that schemes of several flows multiply to, and reports the requirement", () => {
    const { value, losses } = convert("AgentCard", manyWays(20), { ...up, splitOAuthFlows: true });
    expect(value.securityRequirements).toHaveLength(64);
    for (const { schemes } of value.securityRequirements ?? [])
      expect(Object.keys(schemes ?? {})).toHaveLength(20);
    expect(losses.filter(({ code }) => code === "truncated")).toEqual([
      { path: "/security/0", code: "truncated" },
      { path: "/skills/0/security/1", code: "truncated" },
    ]);
  });

  it("keeps all where there are no more", () => {
    const { value, losses } = convert("AgentCard", manyWays(3), { ...up, splitOAuthFlows: true });
    expect(value.securityRequirements).toHaveLength(64);
    expect(losses.map(({ code }) => code)).toEqual(["normalized"]);
  });
});

describe("stashMediaTypes", () => {
  it.each([{}, { mediaType: "" }, { mediaType: 1 }, { mediaType: "a/b", other: "x" }, ["a/b"], null])(
    "leaves a value under its key that it never writes: %j",
    (stash) => {
      const part = { kind: "text", text: "x", metadata: { a2a_typed_media: stash } };
      expect(convert("Part", part, { ...up, stashMediaTypes: true })).toEqual({
        value: { text: "x", metadata: { a2a_typed_media: stash } },
        losses: [],
      });
    },
  );
});
