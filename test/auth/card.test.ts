/** What the card says of the `auth` option, and which cards a server refuses to start with. */
import { describe, expect, it } from "vitest";
import { apiKey, bearer, type AuthOptions } from "a2a-typed/auth";
import { alternativesOf, judge } from "../../src/auth/requirements.js";
import { createServer, type AgentCardInput, type Logger } from "../../src/server.js";
import { agentOf, quiet, skill } from "../server/agents.js";
import { people, tokens, warnings } from "./support.js";

const start = (card: Partial<AgentCardInput>, auth?: AuthOptions, logger: Logger = quiet) =>
  createServer(
    agentOf(async () => "x", { card: { name: "A", description: "An agent", skills: [skill], ...card } }),
    { logger, ...(auth && { auth }) },
  );
const needs = (name: string, ...list: string[]) => ({ schemes: { [name]: { list } } });
const both: AuthOptions = {
  schemes: { token: bearer(people), key: apiKey({ in: "header", name: "K", keys: {} }) },
};
const token = { httpAuthSecurityScheme: { scheme: "Bearer" } };
const key = { apiKeySecurityScheme: { location: "header", name: "K" } };

describe("the card", () => {
  it("gets what it does not declare itself: any scheme alone", () => {
    expect(start({}, both).card).toMatchObject({
      securitySchemes: { token, key },
      securityRequirements: [needs("token"), needs("key")],
    });
    expect(start({}, { ...both, requirements: [needs("key")] }).card.securityRequirements).toEqual([
      needs("key"),
    ]);
    const described = { token: { httpAuthSecurityScheme: { scheme: "bearer", description: "Ask us." } } };
    const { card } = start({ securitySchemes: described, securityRequirements: [needs("token", "a")] }, both);
    expect(card.securitySchemes).toEqual({ ...described, key });
    expect(card.securityRequirements).toEqual([needs("token", "a")]);
  });

  it.each<[string, Partial<AgentCardInput>, AuthOptions | undefined, string]>([
    ["nothing checks a scheme", { securitySchemes: { other: token } }, tokens, "no authenticator"],
    ["a scheme is another kind", { securitySchemes: { token: key } }, tokens, "its authenticator a httpAuth"],
    [
      "a requirement names no scheme",
      { securityRequirements: [needs("oauth")] },
      tokens,
      "names the scheme oauth",
    ],
    [
      "it does so without auth",
      { securityRequirements: [needs("oauth")] },
      undefined,
      "securitySchemes has none",
    ],
    [
      "a skill does",
      { skills: [{ ...skill, securityRequirements: [needs("oauth")] }] },
      tokens,
      "skills.s.securityRequirements names",
    ],
    [
      "there are two lists",
      { securityRequirements: [needs("token")] },
      { ...tokens, requirements: [] },
      "give them once",
    ],
    [
      "a key is nowhere",
      { securitySchemes: { k: { apiKeySecurityScheme: { location: "body", name: "k" } } } },
      undefined,
      "must be one of header, query, cookie",
    ],
    [
      "a URL is not over TLS",
      {
        securitySchemes: {
          o: { openIdConnectSecurityScheme: { openIdConnectUrl: "http://id.example.com" } },
        },
      },
      undefined,
      "must be an https: URL",
    ],
    [
      "a URL only begins like loopback",
      {
        securitySchemes: {
          o: { openIdConnectSecurityScheme: { openIdConnectUrl: "http://localhost.example.com" } },
        },
      },
      undefined,
      "must be an https: URL",
    ],
    [
      "a metadata URL is not over TLS",
      {
        securitySchemes: {
          o: {
            oauth2SecurityScheme: {
              oauth2MetadataUrl: "http://id.example.com",
              flows: { clientCredentials: { tokenUrl: "https://id.example.com", scopes: {} } },
            },
          },
        },
      },
      undefined,
      "oauth2MetadataUrl: must be an https: URL",
    ],
    [
      "a flow has no URL",
      {
        securitySchemes: {
          o: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: "token", scopes: {} } } } },
        },
      },
      undefined,
      "flows.clientCredentials.tokenUrl: must be an absolute URL",
    ],
  ])("is refused where %s (A2A-4.5.x-c, A2A-4.5.4-a, A2A-4.5.d-a)", (_, card, auth, message) => {
    expect(() => start(card, auth)).toThrow(message);
  });

  it("with a flow that OAuth gave up, or requirements that nothing checks, is served with a warning (A2A-4.5.d-b)", () => {
    const { logger, lines } = warnings();
    const flows = { implicit: { authorizationUrl: "http://localhost:1/a", refreshUrl: "", scopes: {} } };
    start(
      {
        securitySchemes: { o: { oauth2SecurityScheme: { flows } } },
        securityRequirements: [needs("o")],
      },
      undefined,
      logger,
    );
    expect(lines.map(([line]) => line)).toEqual([
      "a2a: the card requires credentials that nothing checks: give the server an auth option",
      "a2a: the scheme o offers the flow implicit, which OAuth 2.1 gave up",
    ]);
  });
});

describe("requirements", () => {
  const verdict = (requirements: Parameters<typeof alternativesOf>[0], granted: Record<string, string[]>) => {
    const { met, ...rest } = judge(alternativesOf(requirements), new Map(Object.entries(granted)));
    return met
      ? met.map(({ scheme }) => scheme).join("+")
      : "lacking" in rest
        ? (rest.lacking?.scopes ?? "none")
        : "";
  };
  const and = { schemes: { a: { list: ["r"] }, b: { list: ["s"] } } };

  it("are an OR of ANDs with all scopes (A2A-4.5.x-b)", () => {
    expect(verdict([and], { a: ["r"], b: ["s", "t"] })).toBe("a+b");
    expect(verdict([and], { a: ["r"] })).toBe("none");
    expect(verdict([and], { a: ["r"], b: [] })).toEqual(["s"]);
    expect(verdict([and], { a: [], b: [] })).toEqual(["r", "s"]);
    expect(verdict([and, needs("c", "x", "y", "z")], { a: [], b: [], c: [] })).toEqual(["r", "s"]);
    expect(verdict([and, needs("c")], { c: [] })).toBe("c");
    expect(verdict([needs("c")], {})).toBe("none");
  });

  it("tell what is lacking once, and by which scheme first", () => {
    const shared = { schemes: { a: { list: ["r"] }, b: { list: ["s", "t"] }, c: { list: ["s"] } } };
    const { lacking } = judge(
      alternativesOf([shared]),
      new Map([
        ["a", ["r"]],
        ["b", []],
        ["c", []],
      ]),
    ) as { lacking?: unknown };
    expect(lacking).toEqual({ scheme: "b", scopes: ["s", "t"] });
  });

  it("that are none, or hold an entry without schemes, let anybody in (A2A-4.5.x-d)", () => {
    expect(verdict([], {})).toBe("");
    expect(verdict([{}], {})).toBe("");
    expect(verdict([{ schemes: {} }, needs("c")], {})).toBe("");
    // Who shows what is asked for is who they say.
    expect(verdict([{ schemes: {} }, needs("c")], { c: [] })).toBe("c");
  });
});
