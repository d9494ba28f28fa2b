import { describe, expect, it } from "vitest";
import {
  decode,
  decodeAgentCard,
  decodeState,
  encode,
  encodeAgentCard,
  encodeKnownKeys,
  streamResponse,
  tryDecode,
  tryEncode,
  validStates,
  type CodecType,
} from "../../src/codec.js";
import { isA2AError, A2AError } from "../../src/errors.js";

/** What the codec promises, point by point: each test is a sentence of the page it was modelled on. */
describe("encoding", () => {
  it("emits the flat shape of the newest version: no kind, parts with text, data, raw or url", () => {
    expect(encode("part", { text: "hello" })).toEqual({ text: "hello" });
    expect(
      encode("part", { url: "https://x.example/a.pdf", mediaType: "application/pdf", filename: "a.pdf" }),
    ).toEqual({
      url: "https://x.example/a.pdf",
      mediaType: "application/pdf",
      filename: "a.pdf",
    });
  });

  it("gives plain objects, not text, to be put into an envelope", () => {
    const result = encode("event", { task: { id: "t1", status: { state: "TASK_STATE_WORKING" } } });
    expect(JSON.parse(JSON.stringify({ jsonrpc: "2.0", id: 1, result }))).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: { task: { id: "t1", status: { state: "TASK_STATE_WORKING" } } },
    });
  });

  it("leaves out optional members without a value and empty collections", () => {
    const task = {
      id: "t1",
      contextId: undefined,
      status: { state: "TASK_STATE_SUBMITTED" as const, message: null },
      artifacts: [],
      history: [],
      metadata: {},
    };
    expect(encode("task", task as never)).toEqual({ id: "t1", status: { state: "TASK_STATE_SUBMITTED" } });
    expect(encode("part", { text: "", metadata: {} })).toEqual({ text: "" });
    expect(encode("part", { data: {} })).toEqual({ data: {} });
    expect(encode("part", { data: null })).toEqual({ data: null });
  });

  it("throws for what is no such thing, or returns the error where it is asked not to throw", () => {
    const noPart = { metadata: {} } as never;
    expect(() => encode("part", noPart)).toThrow(A2AError);
    expect(tryEncode("part", noPart)).toMatchObject({ ok: false, error: { reason: "INVALID_PARAMS" } });
    expect(tryEncode("part", { text: "x" })).toMatchObject({ ok: true, value: { text: "x" } });
  });
});

describe("decoding", () => {
  it("reads the newest shape and the one of 0.x: nested files, parts with a kind", () => {
    expect(decode("part", { text: "hello" })).toEqual({ text: "hello" });
    expect(decode("part", { kind: "text", text: "hello" })).toEqual({ text: "hello" });
    expect(
      decode("part", { kind: "file", file: { bytes: "aGk=", mimeType: "text/plain", name: "a.txt" } }),
    ).toEqual({ raw: "aGk=", mediaType: "text/plain", filename: "a.txt" });
    expect(decode("part", { kind: "file", file: { uri: "s3://b/k" } })).toEqual({ url: "s3://b/k" });
    expect(decode("part", { kind: "data", data: { a: 1 } })).toEqual({ data: { a: 1 } });
  });

  it("tells a part without a kind by its content: text, file or data", () => {
    expect(decode("part", { text: "x", metadata: { a: 1 } })).toEqual({ text: "x", metadata: { a: 1 } });
    expect(decode("part", { file: { uri: "s3://b/k", mimeType: "image/png" } })).toEqual({
      url: "s3://b/k",
      mediaType: "image/png",
    });
    expect(decode("part", { data: [1, 2] })).toEqual({ data: [1, 2] });
  });

  it("tells an event by its wrapper, else by its kind", () => {
    const status = { state: "working" };
    expect(decode("event", { task: { id: "t", status } })).toEqual({
      task: { id: "t", status: { state: "TASK_STATE_WORKING" } },
    });
    const kinds: [legacy: object, expected: object][] = [
      [
        { kind: "task", id: "t", contextId: "c", status },
        { task: { id: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" } } },
      ],
      [
        { kind: "message", role: "agent", messageId: "m", parts: [{ kind: "text", text: "hi" }] },
        { message: { role: "ROLE_AGENT", messageId: "m", parts: [{ text: "hi" }] } },
      ],
      [
        { kind: "status-update", taskId: "t", contextId: "c", status, final: false },
        { statusUpdate: { taskId: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" } } },
      ],
      [
        {
          kind: "artifact-update",
          taskId: "t",
          contextId: "c",
          artifact: { artifactId: "a", parts: [{ kind: "text", text: "hi" }] },
        },
        {
          artifactUpdate: {
            taskId: "t",
            contextId: "c",
            artifact: { artifactId: "a", parts: [{ text: "hi" }] },
          },
        },
      ],
    ];
    for (const [legacy, expected] of kinds) expect(decode("event", legacy)).toEqual(expected);
  });

  it("has every type of the page", () => {
    const examples: [type: CodecType, legacy: unknown, expected: unknown][] = [
      ["status", { state: "input-required" }, { state: "TASK_STATE_INPUT_REQUIRED" }],
      [
        "message",
        { kind: "message", role: "user", messageId: "m", parts: [{ kind: "text", text: "x" }] },
        { role: "ROLE_USER", messageId: "m", parts: [{ text: "x" }] },
      ],
      [
        "artifact",
        { artifactId: "a", parts: [{ kind: "data", data: {} }] },
        { artifactId: "a", parts: [{ data: {} }] },
      ],
      ["fileContent", { bytes: "aGk=", mimeType: "text/plain" }, { raw: "aGk=", mediaType: "text/plain" }],
      ["fileContent", { uri: "s3://b/k", name: "k" }, { url: "s3://b/k", filename: "k" }],
      [
        "statusUpdate",
        { kind: "status-update", taskId: "t", contextId: "c", status: { state: "failed" }, final: true },
        { taskId: "t", contextId: "c", status: { state: "TASK_STATE_FAILED" } },
      ],
      [
        "artifactUpdate",
        {
          kind: "artifact-update",
          taskId: "t",
          contextId: "c",
          append: true,
          artifact: { artifactId: "a", parts: [{ kind: "text", text: "x" }] },
        },
        { taskId: "t", contextId: "c", append: true, artifact: { artifactId: "a", parts: [{ text: "x" }] } },
      ],
      [
        "pushConfig",
        {
          taskId: "t",
          pushNotificationConfig: {
            id: "p",
            url: "https://c.example/h",
            authentication: { schemes: ["Bearer"] },
          },
        },
        { taskId: "t", id: "p", url: "https://c.example/h", authentication: { scheme: "Bearer" } },
      ],
    ];
    for (const [type, legacy, expected] of examples) {
      expect(decode(type, legacy), type).toEqual(expected);
      expect(decode(type, expected), `${type} of 1.0`).toEqual(expected);
    }
  });

  it("throws for what it cannot read, or returns the error where it is asked not to throw", () => {
    expect(() => decode("task", { id: "t" })).toThrow(/status/);
    const failed = tryDecode("task", { id: "t" });
    expect(!failed.ok && isA2AError(failed.error, "DECODE")).toBe(true);
    expect(tryDecode("part", { text: "x" })).toEqual({
      ok: true,
      value: { text: "x" },
      problems: [],
      losses: [],
    });
  });
});

describe("states", () => {
  it("are read in both spellings", () => {
    expect(decodeState("TASK_STATE_WORKING")).toBe("TASK_STATE_WORKING");
    expect(decodeState("working")).toBe("TASK_STATE_WORKING");
    expect(() => decodeState("sleeping")).toThrow(/"sleeping"/);
  });

  it("are listed, of each version", () => {
    expect(validStates("0.3")).toContain("input-required");
    expect(validStates()).toContain("TASK_STATE_INPUT_REQUIRED");
  });
});

describe("agent cards", () => {
  const skills = [{ id: "s1", name: "Skill", description: "Does things", tags: [] }];
  const plain = { name: "test", description: "A test agent", version: "1.0.0", skills };

  it("are read from little", () => {
    const card = decodeAgentCard({ ...plain, url: "https://example.com" });
    expect(card.name).toBe("test");
    expect(card.supportedInterfaces[0]).toMatchObject({
      url: "https://example.com",
      protocolBinding: "JSONRPC",
    });
    expect(decode("agentCard", { ...plain, url: "https://example.com" })).toEqual(card);
  });

  it("are written from a few members and a URL; neither URL nor protocol version stand at the top", () => {
    expect(encodeAgentCard(plain, { url: "https://example.com" })).toEqual({
      ...plain,
      capabilities: {},
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      supportedInterfaces: [
        { url: "https://example.com", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      ],
    });
  });

  it("take every option, and options win over members of the card", () => {
    const card = {
      ...plain,
      capabilities: { streaming: false },
      defaultInputModes: ["image/png"],
      defaultOutputModes: ["image/png"],
      provider: { organization: "Old", url: "https://old.example" },
      documentationUrl: "https://old.example/docs",
      iconUrl: "https://old.example/icon.png",
      supportedInterfaces: [
        { url: "https://old.example", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      ],
      securitySchemes: {},
      securityRequirements: [],
      signatures: [],
    };
    const signatures = [{ protected: "eyJ9", signature: "c2ln", header: { kid: "k" } }];
    const written = encodeAgentCard(card, {
      capabilities: { streaming: true },
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["application/json"],
      provider: { organization: "New", url: "https://new.example" },
      documentationUrl: "https://new.example/docs",
      iconUrl: "https://new.example/icon.png",
      supportedInterfaces: [
        { url: "https://new.example/rest", protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
      ],
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
      security: [{ bearer: ["read"] }],
      signatures,
    });
    expect(written).toEqual({
      ...plain,
      capabilities: { streaming: true },
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["application/json"],
      provider: { organization: "New", url: "https://new.example" },
      documentationUrl: "https://new.example/docs",
      iconUrl: "https://new.example/icon.png",
      supportedInterfaces: [
        { url: "https://new.example/rest", protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
      ],
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
      securityRequirements: [{ schemes: { bearer: { list: ["read"] } } }],
      signatures,
    });
    // The members of a card that are not overridden stay.
    expect(encodeAgentCard(card)).toMatchObject({
      provider: card.provider,
      supportedInterfaces: card.supportedInterfaces,
      defaultInputModes: ["image/png"],
    });
  });

  it("need a URL or interfaces", () => {
    expect(() => encodeAgentCard(plain)).toThrow(/url/);
  });
});

describe("the rest of the page", () => {
  it("stream events are wrapped", () => {
    const status = { state: "TASK_STATE_WORKING" as const };
    const task = { id: "t", status };
    expect(streamResponse(task)).toEqual({ task });
    const message = { messageId: "m", role: "ROLE_AGENT" as const, parts: [{ text: "x" }] };
    expect(streamResponse(message)).toEqual({ message });
    const statusUpdate = { taskId: "t", contextId: "c", status };
    expect(streamResponse(statusUpdate)).toEqual({ statusUpdate });
    const artifactUpdate = {
      taskId: "t",
      contextId: "c",
      artifact: { artifactId: "a", parts: [{ text: "x" }] },
    };
    expect(streamResponse(artifactUpdate)).toEqual({ artifactUpdate });
    expect(streamResponse({ task })).toEqual({ task });
    expect(() => streamResponse({} as never)).toThrow(/task, a message/);
  });

  it("known keys get their names on the wire", () => {
    const source = { protocol_binding: "GRPC", protocol_version: null, tags: [], other: 1, count: 0 };
    const mapping = {
      protocol_binding: "protocolBinding",
      protocol_version: "protocolVersion",
      tags: "tags",
      count: "count",
      absent: "absent",
    };
    expect(encodeKnownKeys(source, mapping)).toEqual({ protocolBinding: "GRPC", count: 0 });
  });
});
