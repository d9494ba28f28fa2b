import { describe, expect, it } from "vitest";
import {
  decode,
  decodeState,
  encode,
  encodeAgentCard,
  encodeState,
  tryDecode,
  validStates,
  type Loss,
} from "../../src/codec.js";

const task = {
  id: "t",
  contextId: "c",
  status: { state: "TASK_STATE_INPUT_REQUIRED" as const },
  artifacts: [{ artifactId: "a", parts: [{ raw: "aGk=", mediaType: "text/plain", filename: "a.txt" }] }],
};
const legacyTask = {
  kind: "task",
  id: "t",
  contextId: "c",
  status: { state: "input-required" },
  artifacts: [
    {
      artifactId: "a",
      parts: [{ kind: "file", file: { bytes: "aGk=", mimeType: "text/plain", name: "a.txt" } }],
    },
  ],
};

describe("a version", () => {
  it("may be a line or a release, and is named where it is unknown", () => {
    for (const version of ["0.3", "0.3.0", "0.2", "0.2.6", "0.2.4"]) {
      expect(encode("task", task, { version })).toEqual(legacyTask);
      expect(decode("task", legacyTask, { version })).toEqual(task);
    }
    for (const version of ["1.0", "1.0.1"]) expect(encode("task", task, { version })).toEqual(task);
    for (const version of ["2.0", "0.1", "1", "", "0.3.x"]) {
      const refused = expect.objectContaining({
        reason: "CONFIG",
        message: `A2A ${version} is not supported: expected 1.0, 0.3, 0.2 or a release of one of these (1.0.0)`,
      }) as Error;
      expect(() => encode("task", task, { version })).toThrow(refused);
      expect(() => decode("task", task, { version })).toThrow(refused);
      expect(() => validStates(version)).toThrow(refused);
      expect(() => encodeState("working", version)).toThrow(refused);
    }
  });

  it("reads what it says and nothing else, unless told to be tolerant", () => {
    expect(() => decode("task", task, { version: "0.3" })).toThrow(/kind/);
    expect(() => decode("task", legacyTask, { version: "1.0" })).toThrow(/unknown "kind", "file"/);
    const loose = { ...legacyTask, kind: undefined, status: { state: "TASK_STATE_INPUT_REQUIRED" } };
    expect(() => decode("task", loose, { version: "0.3" })).toThrow(/kind|state/);
    const status = { state: "TASK_STATE_WORKING" };
    expect(decode("status", status, { version: "0.3", tolerant: true })).toEqual(status);
  });

  it("tells what was lost and what was lenient", () => {
    const losses: Loss[] = [];
    encode("part", { text: "x", mediaType: "text/html" }, { version: "0.3", losses });
    expect(losses).toEqual([{ path: "/mediaType", code: "dropped" }]);
    const message = { kind: "message", role: "user", messageId: "m", parts: [], "x-trace": 1 };
    expect(tryDecode("message", message, { version: "0.3" })).toEqual({
      ok: true,
      value: { role: "ROLE_USER", messageId: "m", parts: [] },
      problems: [],
      losses: [{ path: "/x-trace", code: "dropped" }],
    });
  });
});

describe("types", () => {
  it("an unknown one is named", () => {
    const refused = expect.objectContaining({
      reason: "CONFIG",
      message: expect.stringMatching(
        /^"tusk" is no type of the codec; it knows task, status, message, /,
      ) as string,
    }) as Error;
    expect(() => decode("tusk" as "task", {})).toThrow(refused);
    expect(() => encode("toString" as "task", task)).toThrow(/"toString" is no type/);
  });

  it("events are written bare for 0.x, and may be given bare", () => {
    expect(encode("event", { task }, { version: "0.3" })).toEqual(legacyTask);
    expect(encode("event", task, { version: "0.3" })).toEqual(legacyTask);
    expect(encode("event", task)).toEqual({ task });
    const update = { taskId: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" as const } };
    const legacy = { kind: "status-update", taskId: "t", contextId: "c", status: { state: "working" } };
    expect(encode("event", update, { version: "0.3" })).toEqual({ ...legacy, final: false });
    expect(encode("event", update, { version: "0.3", endOfStream: true })).toEqual({
      ...legacy,
      final: true,
    });
    expect(decode("event", { ...legacy, final: true }, { version: "0.3" })).toEqual({ statusUpdate: update });
  });

  it("file contents have no kind in any version", () => {
    const file = { raw: "aGk=", mediaType: "text/plain", filename: "a.txt" };
    const legacy = { bytes: "aGk=", mimeType: "text/plain", name: "a.txt" };
    expect(encode("fileContent", file, { version: "0.3" })).toEqual(legacy);
    expect(decode("fileContent", legacy, { version: "0.3" })).toEqual(file);
    expect(encode("fileContent", file)).toEqual(file);
    expect(decode("fileContent", file, { version: "1.0" })).toEqual(file);
    expect(() => encode("fileContent", { text: "x" } as never)).toThrow(/raw or url/);
    expect(() => encode("fileContent", { raw: "aGk=", url: "s3://b/k" } as never)).toThrow(/raw or url/);
  });
});

describe("states", () => {
  it("are written in the spelling of a version, whatever spelling they come in", () => {
    expect(encodeState("TASK_STATE_AUTH_REQUIRED", "0.3")).toBe("auth-required");
    expect(encodeState("auth-required", "0.2")).toBe("auth-required");
    expect(encodeState("auth-required")).toBe("TASK_STATE_AUTH_REQUIRED");
    expect(encodeState("TASK_STATE_UNSPECIFIED", "0.3")).toBe("unknown");
  });

  it("of all versions are read, and each goes to every other and back", () => {
    for (const version of ["0.2", "0.3", "1.0"]) {
      expect(validStates(version)).toHaveLength(9);
      for (const state of validStates(version)) expect(encodeState(decodeState(state), version)).toBe(state);
    }
  });

  it.each(["", "Working", "TASK_STATE_SLEEPING", 3, null])("%j is none", (state) => {
    expect(() => decodeState(state as string)).toThrow(
      expect.objectContaining({ reason: "DECODE" }) as Error,
    );
  });
});

describe("agent cards of 0.x", () => {
  const plain = {
    name: "A",
    description: "D",
    version: "1.0.0",
    skills: [{ id: "s", name: "S", description: "d", tags: [] }],
  };

  it("are written with their URL at the top", () => {
    const card = encodeAgentCard(
      plain,
      {
        url: "https://a.example",
        security: [{ bearer: ["read"] }],
        securitySchemes: { bearer: { type: "http", scheme: "Bearer" } as never },
      },
      { version: "0.3" },
    );
    expect(card).toEqual({
      ...plain,
      protocolVersion: "0.3.0",
      url: "https://a.example",
      preferredTransport: "JSONRPC",
      capabilities: {},
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      securitySchemes: { bearer: { type: "http", scheme: "Bearer" } },
      security: [{ bearer: ["read"] }],
    });
    expect(decode("agentCard", card)).toMatchObject({
      supportedInterfaces: [{ url: "https://a.example", protocolBinding: "JSONRPC", protocolVersion: "0.3" }],
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
    });
  });

  it("security requirements in the shape of 1.x are taken as they are", () => {
    const card = encodeAgentCard(plain, {
      url: "https://a.example",
      security: [{ schemes: { b: { list: ["r"] } } }, {}],
    });
    expect(card).toMatchObject({ securityRequirements: [{ schemes: { b: { list: ["r"] } } }, {}] });
  });

  it("are refused where the card is not valid", () => {
    const refused = expect.objectContaining({ reason: "INVALID_PARAMS" }) as Error;
    expect(() => encodeAgentCard({ ...plain, name: 1 } as never, { url: "https://a.example" })).toThrow(
      refused,
    );
    expect(() => encodeAgentCard(plain, { supportedInterfaces: [] })).toThrow(refused);
  });
});
