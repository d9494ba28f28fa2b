import { describe, expect, expectTypeOf, it } from "vitest";
import { lintCard } from "../../src/card/lint.js";
import type { CardMeans } from "../../src/card/lint-types.js";
import type { AgentCapabilities } from "../../src/versions/pivot.js";
import { createServer } from "../../src/server.js";
import { agentOf, quiet, skill } from "../server/agents.js";
import { plainCard } from "./sample.js";

/** Problems as `level pointer (rule)`. */
const lint = (change: object, means?: CardMeans): string[] =>
  lintCard({ ...plainCard(), ...change }, means).map(
    ({ level, pointer, rule }) => `${level} ${pointer} (${rule})`,
  );

const at = (url: string, more: object = {}): object => ({
  supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0", ...more }],
});
const own = { url: "https://a.example.com/base", bindings: ["JSONRPC", "HTTP+JSON"], versions: ["1.0"] };

describe("the lint of a card", () => {
  it("says nothing about a card that is right", () => {
    expect(lintCard(plainCard())).toEqual([]);
  });

  it.each([
    "name",
    "description",
    "supportedInterfaces",
    "version",
    "capabilities",
    "defaultInputModes",
    "defaultOutputModes",
    "skills",
  ])("demands %s (A2A-4.4.1-a)", (name) => {
    expect(lint({ [name]: undefined })).toEqual([`error /${name} (A2A-4.4.1-a)`]);
  });

  it("demands the members of providers, skills, interfaces, signatures and extensions (A2A-4.4.2-a, A2A-4.4.5-a, A2A-4.4.6-a, A2A-4.4.7-a, A2A-4.4.4-a)", () => {
    expect(lint({ provider: { organization: "O" } })).toEqual(["error /provider/url (A2A-4.4.2-a)"]);
    expect(lint({ skills: [{}] })).toEqual(
      ["id", "name", "description", "tags"].map((name) => `error /skills/0/${name} (A2A-4.4.5-a)`),
    );
    expect(lint({ supportedInterfaces: [{ url: "https://a.example.com" }] })).toEqual(
      ["protocolBinding", "protocolVersion"].map(
        (name) => `error /supportedInterfaces/0/${name} (A2A-4.4.6-a)`,
      ),
    );
    expect(lint({ signatures: [{ protected: "e30" }] })).toEqual([
      "error /signatures/0/signature (A2A-4.4.7-a)",
    ]);
    expect(lint({ signatures: [{ protected: "?", signature: "AA" }] })).toEqual([
      "error /signatures/0 (A2A-4.4.7-a)",
    ]);
    expect(lint({ capabilities: { extensions: [{ uri: "" }] } })).toEqual([
      "error /capabilities/extensions/0/uri (A2A-4.4.4-a)",
    ]);
  });

  it("finds capabilities without means (A2A-4.4.3-a, A2A-13.3-a)", () => {
    expect(lint({ capabilities: { pushNotifications: true } }, { push: false })).toEqual([
      "error /capabilities/pushNotifications (A2A-4.4.3-a)",
    ]);
    expect(lint({ capabilities: { extendedAgentCard: true }, securitySchemes: {} })).toEqual([
      "error /capabilities/extendedAgentCard (A2A-13.3-a)",
    ]);
    const open = { allowPublicExtendedCard: true };
    expect(lint({ capabilities: { extendedAgentCard: true }, securitySchemes: {} }, open)).toEqual([]);
    const extensions = ["urn:a", "urn:b", "urn:a"].map((uri) => ({ uri }));
    expect(lint({ capabilities: { extensions } })).toEqual([
      "warning /capabilities/extensions/2/uri (A2A-4.4.4-a)",
    ]);
    expect(lint({ capabilities: { extendedAgentCard: true } }, { extendedCard: false })).toEqual([
      "warning /capabilities/extendedAgentCard (A2A-13.3-b)",
    ]);
  });

  it("finds capabilities that are switched off and have means all the same (A2A-4.4.3-a)", () => {
    const means = { streaming: true, push: true, extendedCard: true };
    const off = { streaming: false, pushNotifications: false, extendedAgentCard: false };
    expect(lint({ capabilities: off }, means)).toEqual(
      Object.keys(off).map((name) => `warning /capabilities/${name} (A2A-4.4.3-a)`),
    );
    expect(lint({ capabilities: off })).toEqual([]);
    // What is left out is filled in where the card is served.
    expect(lint({ capabilities: {} }, means)).toEqual([]);
  });

  it("knows no stateTransitionHistory (A2A-4.4.3-b)", () => {
    expect(lint({ capabilities: { stateTransitionHistory: false } })).toEqual([
      "warning /capabilities/stateTransitionHistory (A2A-4.4.3-b)",
    ]);
    expectTypeOf<AgentCapabilities>().not.toHaveProperty("stateTransitionHistory");
    expectTypeOf<NonNullable<AgentCapabilities["extensions"]>>().toExtend<readonly { uri: string }[]>();
  });

  it("reads interfaces as clients do (A2A-4.4.6-b, A2A-4.4.6-c, A2A-4.4.6-e, A2A-5.8-a, A2A-8.3.1-a)", () => {
    expect(lint(at("/relative"))).toEqual(["error /supportedInterfaces/0/url (A2A-4.4.6-b)"]);
    expect(lint(at("http://a.example.com"))).toEqual(["warning /supportedInterfaces/0/url (A2A-4.4.6-b)"]);
    expect(lint(at("http://127.0.0.1:80"))).toEqual([]);
    expect(lint(at("https://a.example.com", { protocolBinding: "SOAP" }))).toEqual([
      "warning /supportedInterfaces/0/protocolBinding (A2A-4.4.6-c)",
    ]);
    expect(lint(at("https://a.example.com", { protocolBinding: "urn:example:soap" }))).toEqual([]);
    expect(lint(at("amqp://q", { protocolBinding: "https://example.com/amqp" }))).toEqual([]);
    expect(lint(at("https://a.example.com", { protocolVersion: "1.0.0" }))).toEqual([
      "error /supportedInterfaces/0/protocolVersion (A2A-4.4.6-e)",
    ]);
  });

  it("compares the agent's own interfaces with what is answered (A2A-5.2-a, A2A-8.3.1-b, A2A-8.3.1-c)", () => {
    const missing = "error /supportedInterfaces (A2A-5.2-a)";
    expect(lint(at("https://a.example.com/base/"), own)).toEqual([missing]);
    expect(lint(at("https://a.example.com/other"), own)).toEqual([
      "error /supportedInterfaces/0/url (A2A-8.3.1-c)",
      missing,
    ]);
    expect(lint(at("https://a.example.com/base", { protocolVersion: "0.3" }), own)).toEqual([
      "error /supportedInterfaces/0/protocolVersion (A2A-4.4.6-e)",
      missing,
    ]);
    expect(lint(at("https://elsewhere.example.com/x", { protocolVersion: "0.3" }), own)).toEqual([]);
    const [one] = plainCard().supportedInterfaces;
    const both = own.bindings.map((protocolBinding) => ({ ...one, url: own.url, protocolBinding }));
    expect(lint({ supportedInterfaces: both }, own)).toEqual([]);
  });

  it("finds requirements without scheme, also in skills, deprecated flows and doubled skills", () => {
    const requirement = { schemes: { gone: { list: [] } } };
    expect(lint({ securityRequirements: [requirement] })).toEqual([
      "error /securityRequirements/0/schemes/gone (A2A-4.5.x-c)",
    ]);
    const doubled = { ...skill, securityRequirements: [requirement] };
    expect(lint({ skills: [skill, doubled] })).toEqual([
      "error /skills/1/securityRequirements/0/schemes/gone (A2A-4.5.x-c)",
      "error /skills/1/id (A2A-4.4.5-a)",
    ]);
    const flows = { implicit: { authorizationUrl: "https://a.example.com", scopes: {} } };
    expect(lint({ securitySchemes: { o: { oauth2SecurityScheme: { flows } } } })).toEqual([
      "warning /securitySchemes/o/oauth2SecurityScheme/flows/implicit (A2A-4.5.d-a)",
    ]);
  });

  it("finds a scheme with more than one flow, and with none (A2A-4.5.7-a)", () => {
    const scheme = (flows: object): object => ({
      securitySchemes: { o: { oauth2SecurityScheme: { flows } } },
    });
    const clientCredentials = { tokenUrl: "https://a.example.com", scopes: {} };
    const authorizationCode = { ...clientCredentials, authorizationUrl: "https://a.example.com" };
    const found = ["error /securitySchemes/o/oauth2SecurityScheme/flows (A2A-4.5.7-a)"];
    expect(lint(scheme({ authorizationCode, clientCredentials }))).toEqual(found);
    expect(lint(scheme({}))).toEqual(found);
    expect(lint(scheme({ authorizationCode }))).toEqual([]);
    const card = { name: "T", description: "d", skills: [skill] };
    expect(() =>
      createServer(
        agentOf(async () => "ok", { card: { ...card, ...scheme({ authorizationCode, clientCredentials }) } }),
        { logger: quiet },
      ),
    ).toThrow(/securitySchemes\.o\.oauth2SecurityScheme\.flows: expected exactly one of/);
  });

  it("warns of empty texts and tags, and of modes that are no media types (A2A-4.4.1-d)", () => {
    expect(lint({ description: "", defaultInputModes: ["text", "text/plain; charset=utf-8"] })).toEqual([
      "warning /description (A2A-4.4.1-a)",
      "warning /defaultInputModes/0 (A2A-4.4.1-d)",
    ]);
    expect(lint({ skills: [{ ...skill, tags: [] }] })).toEqual(["warning /skills/0/tags (A2A-4.4.5-a)"]);
  });

  it("warns of members of 0.x (A2A-4.4.1-f, A2A-A.2.2-a)", () => {
    for (const name of [
      "url",
      "protocolVersion",
      "preferredTransport",
      "additionalInterfaces",
      "supportsAuthenticatedExtendedCard",
      "security",
    ]) {
      expect(lint({ [name]: "x" })).toEqual([`warning /${name} (A2A-4.4.1-f)`]);
    }
  });

  it("warns of what looks like a secret or leads inside (A2A-13.3-h, A2A-14.3-b, A2A-AD-a)", () => {
    const found = (value: string): string[] => lint({ description: value });
    expect(found(`Use sk-proj-${"a1".repeat(20)}`)).toEqual(["warning /description (A2A-AD-a)"]);
    expect(found("-----BEGIN PRIVATE KEY-----")).toEqual(["warning /description (A2A-AD-a)"]);
    expect(found("https://u:p@a.example.com")).toEqual(["warning /description (A2A-AD-a)"]);
    expect(found("http://10.0.0.1/admin")).toEqual(["warning /description (A2A-14.3-b)"]);
    const extensions = [{ uri: "https://e.example.com", params: { apiKey: "x" } }];
    expect(lint({ capabilities: { extensions } })).toEqual([
      "warning /capabilities/extensions/0/params/apiKey (A2A-AD-a)",
    ]);
    expect(found("Asks for your API key")).toEqual([]);
  });

  it("stops a server with one message that lists all errors, and lets it start with warnings", () => {
    const card = {
      name: "T",
      description: "d",
      version: "",
      skills: [skill, skill],
      capabilities: { pushNotifications: true },
    };
    const warned: string[] = [];
    const logger = { ...quiet, warn: (message: string) => void warned.push(message) };
    const start = (change: object): unknown =>
      createServer(
        agentOf(async () => "ok", { card: { ...card, ...change } }),
        { logger },
      );
    expect(() => start({})).toThrow(
      /card: capabilities\.pushNotifications: .*; skills\.1\.id: .* \(A2A-4\.4\.5-a\)$/,
    );
    expect(() => start({ skills: [skill], capabilities: {} })).not.toThrow();
    expect(warned).toEqual(["a2a: card: version: is REQUIRED and empty (A2A-4.4.1-a)"]);
    warned.length = 0;
    const still = { ...card, skills: [skill], version: "1", capabilities: { streaming: false } };
    const yields = agentOf(
      async function* () {
        yield "ok";
      },
      { card: still },
    );
    createServer(yields, { logger });
    expect(warned).toEqual([
      expect.stringContaining("capabilities.streaming: is false, but the handler yields"),
    ]);
  });
});
