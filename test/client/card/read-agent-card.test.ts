import { describe, expect, it } from "vitest";
import { readAgentCard } from "a2a-typed/client";
import { A2A } from "a2a-typed/v1";
import { decode } from "../../../src/codec/decode.js";
import { at, body, codes, current, legacy, read, refusal } from "./read-support.js";

describe("a clean card", () => {
  it("of 1.0 is the same, with unknown members, and nothing is said about it", () => {
    const card = { ...current, "x-vendor": { b: [1, null] }, iconUrl: "https://a.example.com/i.png" };
    expect(read(card)).toEqual({
      card,
      interfaces: [
        {
          url: "https://a.example.com/",
          protocolBinding: "JSONRPC",
          protocolVersion: "1.0",
          source: "supportedInterfaces",
          pointer: "/supportedInterfaces/0",
          assumed: false,
          usable: true,
        },
      ],
      problems: [],
      signature: "none",
      document: card,
    });
  });

  it("of 0.3 has everything in its new place, and nothing is said about it", () => {
    const result = read({
      ...legacy,
      preferredTransport: "HTTP+JSON",
      additionalInterfaces: [
        { url: "https://a.example.com/", transport: "HTTP+JSON" },
        { url: "https://a.example.com/rpc", transport: "JSONRPC" },
      ],
      supportsAuthenticatedExtendedCard: true,
      securitySchemes: {
        key: { type: "apiKey", in: "header", name: "x-key", description: "k" },
        mtls: { type: "mutualTLS" },
        oidc: { type: "openIdConnect", openIdConnectUrl: "https://i.example.com" },
      },
      security: [{ key: [], mtls: [] }, {}, { oidc: ["read"] }],
      skills: [{ id: "s", name: "S", description: "d", tags: ["t"], security: [{ oidc: ["s"] }] }],
    });
    expect(result.problems).toEqual([]);
    expect(result.card).toEqual({
      ...body,
      supportedInterfaces: [
        { url: "https://a.example.com/", protocolBinding: "HTTP+JSON", protocolVersion: "0.3" },
        { url: "https://a.example.com/rpc", protocolBinding: "JSONRPC", protocolVersion: "0.3" },
      ],
      capabilities: { extendedAgentCard: true },
      securitySchemes: {
        key: { apiKeySecurityScheme: { location: "header", name: "x-key", description: "k" } },
        mtls: { mtlsSecurityScheme: {} },
        oidc: { openIdConnectSecurityScheme: { openIdConnectUrl: "https://i.example.com" } },
      },
      securityRequirements: [
        { schemes: { key: { list: [] }, mtls: { list: [] } } },
        { schemes: {} },
        { schemes: { oidc: { list: ["read"] } } },
      ],
      skills: [
        {
          id: "s",
          name: "S",
          description: "d",
          tags: ["t"],
          securityRequirements: [{ schemes: { oidc: { list: ["s"] } } }],
        },
      ],
    });
    // It is what the table of the newest version takes.
    expect(decode<unknown>(A2A.card.table, result.card, { direction: "request" })).toEqual(result.card);
  });

  it("changes nothing that was given, and gives a document that later changes of the card do not reach", () => {
    const given = structuredClone(legacy);
    const { card, document } = read(given);
    card.name = "changed";
    card.capabilities.streaming = true;
    expect(given).toEqual(legacy);
    expect(document).toEqual(legacy);
  });

  it("may begin with a byte order mark", () => {
    expect(read(`\uFEFF${JSON.stringify(current)}`).card.name).toBe("A");
  });
});

describe("a card of two generations, object by object (version mapping 2.16, A2A-A.2.1-d)", () => {
  it("takes a wrapper before type, `in` for location, and passes over members named after the type", () => {
    const result = read({
      ...current,
      securitySchemes: {
        both: { type: "http", scheme: "basic", httpAuthSecurityScheme: { scheme: "bearer" } },
        elixir: { apiKeySecurityScheme: { in: "header", name: "k" } },
        go: { type: "apiKey", in: "query", name: "k", apiKey: { in: "query", name: "k" } },
        bare: { http: { scheme: "bearer" } },
      },
    });
    expect(result.card.securitySchemes).toEqual({
      both: { httpAuthSecurityScheme: { scheme: "bearer" } },
      elixir: { apiKeySecurityScheme: { location: "header", name: "k" } },
      go: { apiKeySecurityScheme: { location: "query", name: "k" } },
      bare: { httpAuthSecurityScheme: { scheme: "bearer" } },
    });
    expect(codes(result)).toEqual([
      "/securitySchemes/both both_shapes",
      "/securitySchemes/elixir/apiKeySecurityScheme/in legacy_name",
      "/securitySchemes/go legacy_scheme",
      "/securitySchemes/bare/http legacy_scheme",
    ]);
  });

  it.each([
    ["flat, under either name", { securityRequirements: [{ k: ["a"] }] }, [{ k: { list: ["a"] } }]],
    [
      "wrapped, under the old name",
      { security: [{ schemes: { k: { list: ["a"] } } }] },
      [{ k: { list: ["a"] } }],
    ],
    ["half of it", { securityRequirements: [{ schemes: { k: ["a"] } }] }, [{ k: { list: ["a"] } }]],
    ["a scheme named schemes", { security: [{ schemes: ["a"] }] }, [{ schemes: { list: ["a"] } }]],
    ["no authentication as an alternative", { security: [{}, { k: [] }] }, [{}, { k: { list: [] } }]],
    [
      "the new name wins",
      { security: [{ old: [] }], securityRequirements: [{ schemes: { k: {} } }] },
      [{ k: { list: [] } }],
    ],
    ["an empty new one does not", { security: [{ k: [] }], securityRequirements: [] }, [{ k: { list: [] } }]],
    ["no list at all", { security: { k: [] } }, [{ k: { list: [] } }]],
    ["a bare name", { security: ["k"] }, [{ k: { list: [] } }]],
  ])("requirements: %s", (_, members, wanted) => {
    const { card } = read({ ...current, securitySchemes: { k: { type: "mutualTLS" } }, ...members });
    expect(card.securityRequirements).toEqual(wanted.map((schemes) => ({ schemes })));
    expect(card).not.toHaveProperty("security");
  });

  it("a requirement that cannot be read does not open the door", () => {
    const result = read({ ...current, securityRequirements: [null, 7] });
    expect(result.card.securityRequirements).toEqual([
      { schemes: { "": { list: [] } } },
      { schemes: { "": { list: [] } } },
    ]);
    expect(codes(result)).toContain("/securityRequirements/0 wrong_type");
    expect(codes(result)).toContain("/securityRequirements/0 unknown_scheme");
  });

  it.each([
    [{ supportsAuthenticatedExtendedCard: true }, {}, true],
    [{ supportsAuthenticatedExtendedCard: false }, {}, false],
    [{ supportsExtendedAgentCard: true }, {}, true],
    [{ supportsAuthenticatedExtendedCard: true }, { extendedAgentCard: false }, false],
    [{}, {}, undefined],
  ])("the flag of the extended card: %j beside %j (A2A-A.2.2-b)", (members, capabilities, wanted) => {
    const { card } = read({ ...current, ...members, capabilities });
    expect(card.capabilities.extendedAgentCard).toBe(wanted);
    expect(card).not.toHaveProperty(Object.keys(members)[0] ?? "security");
  });

  it("several OAuth flows become several schemes, and every requirement an alternative for each (decision 5)", () => {
    const flow = (tokenUrl: string): object => ({ tokenUrl, scopes: { read: "Reads" } });
    const { card } = read({
      ...legacy,
      securitySchemes: {
        oauth: {
          type: "oauth2",
          flows: { clientCredentials: flow("https://t/c"), password: { tokenUrl: "https://t/p" } },
          oauth2MetadataUrl: "https://t/m",
        },
        "oauth-password": { type: "mutualTLS" },
      },
      security: [{ oauth: ["read"], "oauth-password": [] }],
    });
    const oauth = (flows: object): object => ({
      oauth2SecurityScheme: { flows, oauth2MetadataUrl: "https://t/m" },
    });
    expect(card.securitySchemes).toEqual({
      oauth: oauth({ clientCredentials: flow("https://t/c") }),
      "oauth-password_": oauth({ password: { tokenUrl: "https://t/p", scopes: {} } }),
      "oauth-password": { mtlsSecurityScheme: {} },
    });
    expect(card.securityRequirements).toEqual([
      { schemes: { oauth: { list: ["read"] }, "oauth-password": { list: [] } } },
      { schemes: { "oauth-password_": { list: ["read"] }, "oauth-password": { list: [] } } },
    ]);
  });

  it("a requirement of many split schemes does not multiply without end", () => {
    const names = Array.from({ length: 40 }, (_, n) => `s${String(n)}`);
    const flows = { implicit: {}, password: {}, clientCredentials: { tokenUrl: "https://t" } };
    const { card, problems } = read({
      ...legacy,
      securitySchemes: Object.fromEntries(names.map((name) => [name, { type: "oauth2", flows }])),
      security: [Object.fromEntries(names.map((name) => [name, []]))],
    });
    expect(card.securityRequirements).toHaveLength(64);
    expect(Object.keys(card.securityRequirements?.[0]?.schemes ?? {})).toHaveLength(40);
    expect(problems).toContainEqual(expect.objectContaining({ pointer: "/security/0", code: "split_flows" }));
  });

  it("a scheme without flows, or without what its type demands, is kept and reported", () => {
    const result = read({
      ...legacy,
      securitySchemes: { none: { type: "oauth2", flows: {} }, http: { type: "http" }, odd: 7 },
      security: [{ none: [] }, { odd: [] }],
    });
    expect(result.card.securitySchemes).toEqual({
      none: { oauth2SecurityScheme: { flows: {} } },
      http: { httpAuthSecurityScheme: {} },
    });
    expect(result.card.securityRequirements).toHaveLength(2);
    expect(codes(result)).toEqual([
      "/securitySchemes/none unreadable",
      "/securitySchemes/http unreadable",
      "/securitySchemes/odd wrong_type",
      "/securityRequirements/1 unknown_scheme",
    ]);
  });
});

describe("signatures (decision 14)", () => {
  const signatures = [{ protected: "e30", signature: "AA" }];
  it("of a card as it came are kept and never called valid", () => {
    const { card, signature, problems } = read({ ...current, signatures });
    expect(card.signatures).toEqual(signatures);
    expect(signature).toBe("unverified");
    expect(problems).toEqual([
      { pointer: "/signatures", code: "unverified_signature", message: "not verified" },
    ]);
  });
  it.each([
    ["of 0.x", { ...legacy, signatures }],
    ["with a leniency", { ...current, signatures, skills: undefined }],
  ])("do not survive another shape: a card %s; the document has them", (_, given) => {
    const { card, signature, document, problems } = read(given);
    expect(card).not.toHaveProperty("signatures");
    expect(signature).toBe("unverified");
    expect(document["signatures"]).toEqual(signatures);
    expect(problems.at(-1)).toMatchObject({ code: "unverified_signature", message: /verify the document/ });
  });
});

describe("what is missing or of another type", () => {
  it("of 0.2: no version, no lists, snake_case", () => {
    const result = read({
      name: "A",
      description: "d",
      url: "https://a.example.com",
      version: 1.2,
      default_input_modes: ["application/json"],
      skills: [{ name: "S", tags: null, input_modes: ["text/plain"] }, "no skill"],
    });
    expect(result.card).toEqual({
      ...body,
      version: "1.2",
      defaultInputModes: ["application/json"],
      defaultOutputModes: [],
      supportedInterfaces: [
        { url: "https://a.example.com", protocolBinding: "JSONRPC", protocolVersion: "0.3" },
      ],
      skills: [{ id: "S", name: "S", description: "", tags: [], inputModes: ["text/plain"] }],
    });
    expect(codes(result).toSorted()).toEqual([
      "/capabilities missing_member",
      "/defaultOutputModes missing_member",
      "/protocolVersion missing_version",
      "/skills/0/description missing_member",
      "/skills/0/id missing_member",
      "/skills/0/tags missing_member",
      "/skills/1 wrong_type",
      "/version wrong_type",
    ]);
  });

  it("costs only itself", () => {
    const result = read({
      ...current,
      provider: "Example Org",
      iconUrl: 7,
      documentationUrl: null,
      defaultInputModes: "text/plain",
      capabilities: {
        streaming: "yes",
        pushNotifications: false,
        extensions: [{ uri: "urn:a", required: true }, { description: "no uri" }],
      },
      signatures: [{ protected: 1 }],
    });
    expect(result.card).toEqual({
      ...current,
      provider: { organization: "Example Org", url: "" },
      capabilities: { pushNotifications: false, extensions: [{ uri: "urn:a", required: true }] },
      signatures: [],
    });
    expect(codes(result).toSorted()).toEqual([
      "/capabilities/extensions/1 unreadable",
      "/capabilities/streaming wrong_type",
      "/defaultInputModes wrong_type",
      "/iconUrl wrong_type",
      "/provider wrong_type",
      "/signatures/0 unreadable",
    ]);
  });

  it("that concerns several interfaces is told once", () => {
    const more = { url: "https://a.example.com/2", transport: "JSONRPC" };
    const result = read({ ...legacy, protocolVersion: undefined, additionalInterfaces: [more] });
    expect(result.interfaces).toHaveLength(2);
    expect(codes(result)).toEqual(["/protocolVersion missing_version"]);
  });

  it("an empty transport of 0.x is the default one", () => {
    const { interfaces } = read({ ...legacy, preferredTransport: "" });
    expect(interfaces[0]).toMatchObject({ protocolBinding: "JSONRPC", usable: true });
  });

  it("among interfaces: a binding, a version, whole entries, the name of a draft", () => {
    const result = read({
      ...body,
      protocolVersion: "1.0",
      supported_interfaces: [
        { url: "https://a.example.com/1", protocol_binding: "json-rpc" },
        "https://a.example.com/2",
        { url: "https://a.example.com/3", transport: "grpc", protocolVersion: "1.0.1", extra: 1 },
        { url: "https://a.example.com/4", protocolVersion: "latest" },
        { url: "https://a.example.com/1", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
        { protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      ],
    });
    expect(
      result.interfaces.map((one) => [one.protocolBinding, one.protocolVersion, one.url, one.usable]),
    ).toEqual([
      ["JSONRPC", "1.0", "https://a.example.com/1", true],
      ["GRPC", "1.0", "https://a.example.com/3", true],
      ["JSONRPC", "latest", "https://a.example.com/4", false],
      ["JSONRPC", "1.0", "", false],
    ]);
    expect(result.card.supportedInterfaces).toEqual([
      { url: "https://a.example.com/1", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url: "https://a.example.com/3", protocolBinding: "GRPC", protocolVersion: "1.0", extra: 1 },
      { url: "https://a.example.com/4", protocolBinding: "JSONRPC", protocolVersion: "latest" },
    ]);
    expect(codes(result).toSorted()).toEqual([
      "/protocolVersion version_name",
      "/supportedInterfaces/0/protocolBinding binding_name",
      "/supportedInterfaces/1 wrong_type",
      "/supportedInterfaces/2/protocolVersion version_name",
      "/supportedInterfaces/2/transport binding_name",
      "/supportedInterfaces/2/transport legacy_name",
      "/supportedInterfaces/3 unusable_interface",
      "/supportedInterfaces/3/protocolBinding missing_binding",
      "/supportedInterfaces/4 duplicate_interface",
      "/supportedInterfaces/5/url unusable_interface",
    ]);
  });

  it("strict: each leniency is a refusal, advice is not", () => {
    const error = refusal({ ...current, skills: undefined, securityRequirements: [{ k: [] }] }, true);
    expect(error).toMatchObject({
      reason: "DECODE",
      violations: [{ pointer: "/securityRequirements/0" }, { pointer: "/skills" }],
    });
    const advised = readAgentCard({ ...current, extensions: {} }, { url: at, strict: true });
    expect(codes(advised)).toEqual(["/extensions unread_member"]);
  });
});
