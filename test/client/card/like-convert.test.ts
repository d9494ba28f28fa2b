import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readAgentCard } from "a2a-typed/client";
import { convert } from "a2a-typed/convert";
import type { AgentCard } from "a2a-typed/v1";

interface Vector {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly type: string;
  readonly input: object;
  readonly expected: AgentCard;
}

const vectors = (
  JSON.parse(
    readFileSync(new URL("../../vectors/shared/conversion.json", import.meta.url), "utf8"),
  ) as Vector[]
).filter(({ type, to }) => type === "AgentCard" && to.startsWith("1."));

/** What the conversion of cards and the reading of them must agree on; reading keeps members that nobody knows. */
function agree(input: object, from: string): void {
  const { value } = convert("AgentCard", input, {
    from,
    to: "1.0",
    splitOAuthFlows: true,
    direction: "reply",
  });
  const { card } = readAgentCard(input);
  expect(card).toMatchObject(value);
  const own = Object.keys(card).filter((name) => !Object.hasOwn(value as object, name));
  expect(own.filter((name) => !Object.hasOwn(input, name))).toEqual([]);
}

describe("a clean card is read to what conversion makes of it", () => {
  it("has vectors", () => {
    expect(vectors.length).toBe(3);
  });

  it.each(vectors)("$id", ({ input, from, expected }) => {
    agree(input, from);
    expect(readAgentCard(input).card).toMatchObject({ ...expected, supportedInterfaces: expect.anything() });
  });

  it.each([
    ["every kind of scheme", { a: { type: "apiKey", in: "cookie", name: "k" }, m: { type: "mutualTLS" } }],
    [
      "several OAuth flows",
      {
        o: {
          type: "oauth2",
          flows: {
            implicit: { authorizationUrl: "https://i", scopes: {} },
            authorizationCode: { authorizationUrl: "https://a", tokenUrl: "https://t", scopes: { r: "" } },
            password: { tokenUrl: "https://p", scopes: {} },
          },
        },
        "o-password": { type: "http", scheme: "basic" },
      },
    ],
  ])("%s", (_, securitySchemes) => {
    const card = {
      name: "A",
      description: "d",
      version: "1",
      protocolVersion: "0.3.0",
      url: "https://a.example.com/",
      capabilities: { streaming: true, extensions: [{ uri: "urn:a", required: false }] },
      defaultInputModes: ["text/plain"],
      defaultOutputModes: [],
      securitySchemes,
      security: [Object.fromEntries(Object.keys(securitySchemes).map((name) => [name, ["r"]]))],
      skills: [
        {
          id: "s",
          name: "S",
          description: "d",
          tags: [],
          security: [{ [Object.keys(securitySchemes)[0] ?? ""]: [] }],
        },
      ],
      supportsAuthenticatedExtendedCard: false,
    };
    agree(card, "0.3");
  });
});
