import { describe, expect, it } from "vitest";
import { convert, type ConvertOptions } from "../../src/convert.js";
import type { A2AError } from "../../src/errors.js";

const lossesOf = (type: string, value: unknown, options: ConvertOptions): string[] =>
  convert(type, value, options)
    .losses.map(({ path, code }) => `${path} ${code}`)
    .sort();

const message = (parts: unknown[]) => ({ kind: "message", role: "user", messageId: "m", parts });

describe("what decoding changes is reported as well", () => {
  it("base64 of the other alphabet, unknown members, offsets", () => {
    const value = message([
      { kind: "file", file: { bytes: "-_8", "x-a": 1 } },
      { kind: "file", file: { bytes: "AAAA" } },
      { kind: "text", text: "a", "a/b~c": 1 },
    ]);
    const expected = [
      "/parts/0/file/bytes normalized",
      "/parts/0/file/x-a dropped",
      "/parts/2/a~1b~0c dropped",
    ];
    expect(lossesOf("Message", value, { from: "0.3", to: "1.0" })).toEqual(expected);
    expect(lossesOf("Message", value, { from: "0.3", to: "0.2" })).toEqual(expected);
    const status = { state: "TASK_STATE_WORKING", timestamp: "2024-01-01T02:00:00+02:00" };
    expect(convert("TaskStatus", status, { from: "1.0", to: "0.3" })).toEqual({
      value: { state: "working", timestamp: "2024-01-01T00:00:00Z" },
      losses: [{ path: "/timestamp", code: "normalized" }],
    });
  });

  it("paths have the names that were given", () => {
    const part = { text: "a", media_type: "text/html", file_name: 1 };
    expect(lossesOf("Part", part, { from: "1.0", to: "0.3" })).toEqual([
      "/file_name dropped",
      "/media_type dropped",
    ]);
  });
});

describe("losses of later hops point into the value that was given", () => {
  it("up from 0.2: a time and several schemes", () => {
    const task = {
      kind: "task",
      id: "t",
      contextId: "c",
      status: { state: "working", timestamp: "2024-01-01T00:00:00" },
      history: [message([{ kind: "data", data: { a: 1 }, metadata: { data_part_compat: true } }])],
    };
    expect(lossesOf("Task", task, { from: "0.2", to: "1.0" })).toEqual([
      "/history/0/parts/0/metadata/data_part_compat reserved",
      "/status/timestamp normalized",
    ]);
    const config = {
      taskId: "t",
      pushNotificationConfig: { url: "https://x.example", authentication: { schemes: ["A", "B"] } },
    };
    expect(lossesOf("TaskPushNotificationConfig", config, { from: "0.2", to: "1.0" })).toEqual([
      "/pushNotificationConfig/authentication/schemes/1 truncated",
    ]);
  });

  it("down to 0.2: through wrappers and changed names", () => {
    const request = {
      message: { role: "ROLE_USER", messageId: "m", parts: [{ text: "a", filename: "f" }] },
      configuration: {},
    };
    expect(lossesOf("SendMessageRequest", request, { from: "1.0", to: "0.2.1" })).toEqual([
      "/configuration/acceptedOutputModes synthesized",
      "/message/parts/0/filename dropped",
    ]);
    const card = {
      name: "A",
      description: "D",
      version: "1",
      capabilities: {},
      defaultInputModes: [],
      defaultOutputModes: [],
      skills: [
        { id: "s", name: "S", description: "d", tags: [], securityRequirements: [{ schemes: { a: {} } }] },
      ],
      supportedInterfaces: [{ url: "https://a", protocolBinding: "JSONRPC", protocolVersion: "0.3" }],
      securitySchemes: { m: { mtlsSecurityScheme: {} } },
    };
    expect(lossesOf("AgentCard", card, { from: "1.0", to: "0.2" })).toEqual([
      "/securitySchemes/m dropped",
      "/skills/0/securityRequirements dropped",
      "/supportedInterfaces/0/protocolVersion normalized",
    ]);
  });

  it("so do refusals of later hops", () => {
    const params = { message: message([]), configuration: { historyLength: -1 } };
    const error = (() => {
      try {
        return convert(
          "SendMessageRequest",
          { ...params, message: message([{ kind: "text", text: "" }]) },
          {
            from: "0.2",
            to: "1.0",
          },
        );
      } catch (thrown) {
        return thrown as A2AError;
      }
    })();
    expect(error).toMatchObject({ code: -32602, violations: [{ pointer: "/configuration/historyLength" }] });
  });
});

describe("times of 0.x", () => {
  it.each([
    ["2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z", []],
    ["2024-01-31T23:59:59.123456789Z", "2024-01-31T23:59:59.123456789Z", []],
    ["2024-01-01T00:00:00", "2024-01-01T00:00:00Z", ["normalized"]],
    ["2024-01-01 00:00:00.5", "2024-01-01T00:00:00.5Z", ["normalized"]],
    ["2024-01-01T01:30:00+01:30", "2024-01-01T00:00:00Z", ["normalized"]],
    ["2024-01-01T00:00:00+0000", "2024-01-01T00:00:00Z", ["normalized"]],
    ["2024-01-01T00:00:00.1234567891Z", "2024-01-01T00:00:00.123456789Z", ["normalized"]],
    ["yesterday", undefined, ["dropped"]],
    ["2024-02-30T00:00:00Z", undefined, ["dropped"]],
    ["", undefined, ["dropped"]],
  ])("%s", (timestamp, expected, codes) => {
    const { value, losses } = convert(
      "TaskStatus",
      { state: "working", timestamp },
      { from: "0.3", to: "1.0" },
    );
    expect(value).toEqual({
      state: "TASK_STATE_WORKING",
      ...(expected !== undefined && { timestamp: expected }),
    });
    expect(losses).toEqual(codes.map((code) => ({ path: "/timestamp", code })));
  });
});

describe("data parts", () => {
  const up = { from: "0.3", to: "1.0" } as const;
  const down = { from: "1.0", to: "0.3" } as const;

  it("only what a converter wrapped is unwrapped", () => {
    const more = { kind: "data", data: { value: 1, x: 2 }, metadata: { data_part_compat: true } };
    expect(convert("Part", more, up)).toEqual({
      value: { data: { value: 1, x: 2 }, metadata: { data_part_compat: true } },
      losses: [{ path: "/metadata/data_part_compat", code: "reserved" }],
    });
    const other = { kind: "data", data: { value: 1 }, metadata: { data_part_compat: "yes" } };
    expect(convert("Part", other, up)).toEqual({
      value: { data: { value: 1 }, metadata: { data_part_compat: "yes" } },
      losses: [],
    });
  });

  it("metadata that would not come back the same is reported", () => {
    expect(lossesOf("Part", { data: 1, metadata: {} }, down)).toEqual(["/metadata normalized"]);
    expect(lossesOf("Part", { data: 1, metadata: { data_part_compat: false } }, down)).toEqual([
      "/metadata/data_part_compat reserved",
    ]);
    expect(convert("Part", { data: {}, metadata: {} }, down)).toEqual({
      value: { kind: "data", data: {}, metadata: {} },
      losses: [],
    });
  });
});

describe("webhook authentication", () => {
  const convertOne = (authentication: unknown) =>
    convert(
      "PushNotificationConfig",
      { url: "https://x.example", authentication },
      { from: "0.3", to: "1.0" },
    );

  it("without a scheme there is none", () => {
    for (const authentication of [{ schemes: [] }, { schemes: [""] }, { schemes: [], credentials: "c" }])
      expect(convertOne(authentication)).toEqual({
        value: { url: "https://x.example" },
        losses: [{ path: "/authentication", code: "dropped" }],
      });
    expect(() => convert("AuthenticationInfo", { schemes: [] }, { from: "0.3", to: "1.0" })).toThrow(
      "has no place in the other version",
    );
  });

  it("the first that says something counts", () => {
    expect(convertOne({ schemes: ["", "Basic"], credentials: "c" })).toMatchObject({
      value: { authentication: { scheme: "Basic", credentials: "c" } },
      losses: [{ path: "/authentication/schemes/0", code: "truncated" }],
    });
  });
});
