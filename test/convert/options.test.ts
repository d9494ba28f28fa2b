import { describe, expect, it } from "vitest";
import { convert, type ConvertOptions, type Loss } from "../../src/convert.js";
import { A2AError } from "../../src/errors.js";

const up = { from: "0.3", to: "1.0" } as const;
const down = { from: "1.0", to: "0.3" } as const;

const refusal = (type: string, value: unknown, options: ConvertOptions): A2AError => {
  try {
    convert(type, value, options);
  } catch (error) {
    if (error instanceof A2AError) return error;
    throw error;
  }
  throw new Error("was not refused");
};

const card03 = {
  name: "A",
  description: "D",
  version: "1",
  protocolVersion: "0.3.0",
  url: "https://a.example/rpc",
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "s", name: "S", description: "d", tags: ["t"], security: [{ oauth: ["read"], key: [] }] }],
  securitySchemes: {
    key: { type: "apiKey", in: "header", name: "k" },
    oauth: {
      type: "oauth2",
      flows: {
        clientCredentials: { tokenUrl: "https://a.example/t", scopes: { read: "R" }, "x-note": 1 },
        authorizationCode: {
          authorizationUrl: "https://a.example/auth",
          tokenUrl: "https://a.example/t",
          scopes: { read: "R" },
        },
      },
    },
  },
  security: [{ oauth: ["read"] }, {}],
};

describe("splitOAuthFlows", () => {
  it("several flows become several schemes, and requirements are repeated: any of them will do", () => {
    const { value, losses } = convert("AgentCard", card03, { ...up, splitOAuthFlows: true });
    const card = value;
    const schemes = card.securitySchemes ?? {};
    expect(Object.keys(schemes)).toEqual(["key", "oauth", "oauth-authorizationCode"]);
    expect(schemes["oauth-authorizationCode"]).toEqual({
      oauth2SecurityScheme: {
        flows: { authorizationCode: card03.securitySchemes.oauth.flows.authorizationCode },
      },
    });
    expect(card.securityRequirements).toEqual([
      { schemes: { oauth: { list: ["read"] } } },
      { schemes: { "oauth-authorizationCode": { list: ["read"] } } },
      { schemes: {} },
    ]);
    expect(card.skills[0]?.securityRequirements).toEqual([
      { schemes: { oauth: { list: ["read"] }, key: { list: [] } } },
      { schemes: { "oauth-authorizationCode": { list: ["read"] }, key: { list: [] } } },
    ]);
    expect(paths(losses)).toEqual([
      "/protocolVersion normalized",
      "/securitySchemes/oauth/flows/clientCredentials/x-note dropped",
    ]);
  });

  it("off, the first in order of preference is kept and the others are reported", () => {
    const { value, losses } = convert("AgentCard", card03, up);
    const { oauth } = value.securitySchemes ?? {};
    expect(Object.keys(oauth?.oauth2SecurityScheme?.flows ?? {})).toEqual(["authorizationCode"]);
    expect(paths(losses)).toContain("/securitySchemes/oauth/flows/clientCredentials truncated");
  });
});

it("a scheme without any flow goes, the requirement that names it stays", () => {
  const card = {
    ...card03,
    securitySchemes: { oauth: { type: "oauth2", flows: {} } },
    security: [{ oauth: [] }],
  };
  const { value, losses } = convert("AgentCard", card, up);
  expect(value).toMatchObject({
    securitySchemes: {},
    securityRequirements: [{ schemes: { oauth: { list: [] } } }],
  });
  expect(paths(losses)).toEqual(["/protocolVersion normalized", "/securitySchemes/oauth dropped"]);
});

describe("stashMediaTypes", () => {
  const part = { data: [1], mediaType: "application/yaml", filename: "a.yaml", metadata: { k: 1 } };

  it("keeps media type and file name under a metadata key, and takes them back", () => {
    const there = convert("Part", part, { ...down, stashMediaTypes: true });
    expect(there.losses).toEqual([]);
    expect(there.value).toEqual({
      kind: "data",
      data: { value: [1] },
      metadata: {
        k: 1,
        data_part_compat: true,
        a2a_typed_media: { mediaType: "application/yaml", filename: "a.yaml" },
      },
    });
    expect(convert("Part", there.value, { ...up, stashMediaTypes: true })).toEqual({
      value: part,
      losses: [],
    });
  });

  it("leaves no metadata behind where there was none", () => {
    const text = { text: "a", mediaType: "text/markdown" };
    const there = convert("Part", text, { ...down, stashMediaTypes: true });
    expect(convert("Part", there.value, { ...up, stashMediaTypes: true }).value).toEqual(text);
  });

  it("a key of that name that is the user's own is left alone", () => {
    const own = { text: "a", mediaType: "text/markdown", metadata: { a2a_typed_media: "mine" } };
    const { value, losses } = convert("Part", own, { ...down, stashMediaTypes: true });
    expect(value).toEqual({ kind: "text", text: "a", metadata: { a2a_typed_media: "mine" } });
    expect(paths(losses)).toEqual(["/mediaType dropped", "/metadata/a2a_typed_media reserved"]);
    expect(convert("Part", value, { ...up, stashMediaTypes: true }).value).toEqual({
      text: "a",
      metadata: { a2a_typed_media: "mine" },
    });
  });

  it("off, the key is metadata like any other", () => {
    const { value } = convert("Part", part, { ...down, stashMediaTypes: true });
    expect(convert("Part", value, up).value).toMatchObject({ metadata: { k: 1, a2a_typed_media: {} } });
  });
});

describe("legacyBindings", () => {
  const card = {
    name: "A",
    description: "D",
    version: "1",
    capabilities: {},
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [],
    supportedInterfaces: [
      { url: "https://a.example/g", protocolBinding: "GRPC", protocolVersion: "1.0" },
      { url: "https://a.example/r", protocolBinding: "JSONRPC", protocolVersion: "1.0", tenant: "acme" },
      { url: "https://a.example/h", protocolBinding: "HTTP+JSON", protocolVersion: "0.3.0" },
      { url: "https://a.example/h", protocolBinding: "HTTP+JSON", protocolVersion: "0.3" },
    ],
  };

  it("makes 1.x interfaces of these bindings 0.x ones, in the order of the card", () => {
    const { value, losses } = convert("AgentCard", card, { ...down, legacyBindings: ["JSONRPC"] });
    expect(value).toMatchObject({
      url: "https://a.example/r",
      preferredTransport: "JSONRPC",
      additionalInterfaces: [{ url: "https://a.example/h", transport: "HTTP+JSON" }],
    });
    expect(paths(losses)).toEqual([
      "/supportedInterfaces/0 dropped",
      "/supportedInterfaces/1/tenant dropped",
      "/supportedInterfaces/2/protocolVersion normalized",
      "/supportedInterfaces/3 dropped",
    ]);
  });

  it("a refusal says which option helps, also within a bridge that leads further", () => {
    const modern = { ...card, supportedInterfaces: card.supportedInterfaces.slice(0, 2) };
    for (const to of ["0.3", "0.2"]) {
      expect(refusal("AgentCard", modern, { from: "1.0", to })).toMatchObject({
        reason: "VERSION_NOT_SUPPORTED",
        code: -32009,
        message: expect.stringContaining("legacyBindings") as string,
        violations: [{ pointer: "/supportedInterfaces" }],
      });
    }
  });
});

describe("onLoss", () => {
  const request = { tenant: "acme", id: "t1" };

  it("error refuses what cannot be carried over in full, and lists it", () => {
    expect(refusal("GetTaskRequest", request, { ...down, onLoss: "error" })).toMatchObject({
      reason: "INVALID_PARAMS",
      code: -32602,
      violations: [{ field: "tenant", pointer: "/tenant" }],
    });
    expect(convert("GetTaskRequest", { id: "t1" }, { ...down, onLoss: "error" }).value).toEqual({ id: "t1" });
  });

  it("report, the default, converts it", () => {
    expect(convert("GetTaskRequest", request, { ...down, onLoss: "report" })).toEqual({
      value: { id: "t1" },
      losses: [{ path: "/tenant", code: "dropped" }],
    });
  });
});

describe("direction", () => {
  const status = { state: "pondering" };
  const message = { kind: "message", role: "user", messageId: "m", parts: [] };

  it("a request is refused for a state that nobody knows, and for a message without parts", () => {
    expect(refusal("TaskStatus", status, up)).toMatchObject({
      code: -32602,
      violations: [{ pointer: "/state" }],
    });
    expect(refusal("Message", message, up)).toMatchObject({
      code: -32602,
      violations: [{ pointer: "/parts" }],
    });
  });

  it("in a reply the state becomes unspecified and is reported, and the message passes", () => {
    const reply = { ...up, direction: "reply" } as const;
    expect(convert("TaskStatus", status, reply)).toEqual({
      value: { state: "TASK_STATE_UNSPECIFIED" },
      losses: [{ path: "/state", code: "dropped" }],
    });
    expect(convert("Message", message, reply).value).toEqual({
      role: "ROLE_USER",
      messageId: "m",
      parts: [],
    });
  });

  it("going down, too", () => {
    const reply = { ...down, direction: "reply" } as const;
    expect(convert("TaskStatus", { state: "TASK_STATE_PAUSED" }, reply)).toEqual({
      value: { state: "unknown" },
      losses: [{ path: "/state", code: "dropped" }],
    });
    // A third role would be taken for one of the two.
    const odd = { role: "ROLE_UNSPECIFIED", messageId: "m", parts: [{ text: "a" }] };
    expect(refusal("Message", odd, reply)).toMatchObject({
      reason: "INVALID_AGENT_RESPONSE",
      code: -32006,
      violations: [{ pointer: "/role" }],
    });
  });

  it("a reply may have members that nobody knows: kept where both versions agree, dropped elsewhere", () => {
    const reply = { from: "0.2", to: "0.3", direction: "reply" } as const;
    const task = { kind: "task", id: "t", contextId: "c", status: { state: "working" }, "x-trace": 1 };
    expect(convert("Task", task, reply)).toEqual({ value: task, losses: [] });
    expect(convert("Task", task, { ...reply, to: "1.0" }).losses).toEqual([
      { path: "/x-trace", code: "dropped" },
    ]);
  });
});

describe("endOfStream", () => {
  it("is the last word on final; what a 1.0 stream does not say by itself is reported", () => {
    const event = { taskId: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" } };
    const { value } = convert("TaskStatusUpdateEvent", event, { ...down, endOfStream: true });
    expect(value).toMatchObject({ final: true });
    expect(convert("TaskStatusUpdateEvent", value, up).losses).toEqual([{ path: "/final", code: "dropped" }]);
  });
});

const paths = (losses: readonly Loss[]): string[] => losses.map(({ path, code }) => `${path} ${code}`).sort();
