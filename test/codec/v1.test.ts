import { describe, expect, it } from "vitest";
import * as tables from "../../generated/v1.0/tables.js";
import { errorOf, reply, request, violations } from "./support.js";

const send = (message: object) => ({
  message: { messageId: "m1", role: "ROLE_USER", parts: [{ text: "hi" }], ...message },
});

describe("what the official SDK lets through", () => {
  it.each([
    ["no role, no parts", { message: { messageId: "x" } }, ["message.role", "message.parts"]],
    ["parts as a string", send({ parts: "x" }), ["message.parts"]],
    ["no parts", send({ parts: [] }), ["message.parts"]],
    ["an empty part", send({ parts: [{}] }), ["message.parts[0]"]],
    [
      "two contents in one part",
      send({ parts: [{ text: "a", url: "https://x.example" }] }),
      ["message.parts[0]"],
    ],
    [
      "a part of 0.3",
      send({ parts: [{ kind: "file", file: { uri: "https://x.example" } }] }),
      ["message.parts[0]"],
    ],
    ["a role of 0.3", send({ role: "user" }), ["message.role"]],
    ["an unknown role", send({ role: "ROLE_FOO" }), ["message.role"]],
    ["no real role", send({ role: "ROLE_UNSPECIFIED" }), ["message.role"]],
    ["no real role, as a number", send({ role: 0 }), ["message.role"]],
    ["an unknown role number", send({ role: 7 }), ["message.role"]],
    ["bytes that are no base64", send({ parts: [{ raw: "***" }] }), ["message.parts[0].raw"]],
    ["an object as messageId", send({ messageId: { a: 1 } }), ["message.messageId"]],
    ["an empty messageId", send({ messageId: "" }), ["message.messageId"]],
    ["a list of parts in an object", send({ parts: { 0: { text: "x" } } }), ["message.parts"]],
    ["null in parts", send({ parts: [null] }), ["message.parts[0]"]],
    [
      "historyLength as words",
      { ...send({}), configuration: { historyLength: "abc" } },
      ["configuration.historyLength"],
    ],
    [
      "returnImmediately as text",
      { ...send({}), configuration: { returnImmediately: "false" } },
      ["configuration.returnImmediately"],
    ],
    [
      "a push config without a url",
      { ...send({}), configuration: { taskPushNotificationConfig: {} } },
      ["configuration.taskPushNotificationConfig.url"],
    ],
    ["metadata as a list", { ...send({}), metadata: [] }, ["metadata"]],
    ["params as a list", [send({})], [""]],
  ])("%s is refused at its field", (_, value, fields) => {
    const error = errorOf(() => request(tables.SendMessageRequest, value));
    expect(error.reason).toBe("INVALID_PARAMS");
    expect(error.violations?.map(({ field }) => field)).toEqual(fields);
  });

  it("a null that is data is kept, and alone it is content (A2A-4.1.6-c)", () => {
    const value = send({ parts: [{ data: null }] });
    expect(request(tables.SendMessageRequest, value)).toBe(value);
  });

  it("empty text is content (A2A-4.1.6-e)", () => {
    const value = send({ parts: [{ text: "" }, { raw: "" }] });
    expect(request(tables.SendMessageRequest, value)).toBe(value);
  });

  it("protobuf names, numbers and foreign fields are read", () => {
    expect(request(tables.GetTaskRequest, { id: "t1", history_length: 1 })).toEqual({
      id: "t1",
      historyLength: 1,
    });
    expect(
      request(tables.SendMessageRequest, {
        message: {
          message_id: "m1",
          context_id: "c1",
          task_id: "",
          role: 1,
          parts: [{ text: "hi", media_type: "text/plain" }],
        },
        configuration: { blocking: true, history_length: "3", accepted_output_modes: ["text"] },
        jsonrpc: "2.0",
      }),
    ).toEqual({
      message: {
        messageId: "m1",
        contextId: "c1",
        role: "ROLE_USER",
        parts: [{ text: "hi", mediaType: "text/plain" }],
      },
      configuration: { historyLength: 3, acceptedOutputModes: ["text"] },
    });
  });

  it("no status, or an unspecified one, is no filter", () => {
    expect(request(tables.ListTasksRequest, { status: "TASK_STATE_UNSPECIFIED" })).toEqual({});
    expect(request(tables.ListTasksRequest, { status: 2 })).toEqual({ status: "TASK_STATE_WORKING" });
  });
});

describe("agent cards", () => {
  const card = {
    name: "A",
    description: "",
    supportedInterfaces: [{ url: "https://a.example", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    version: "1",
    capabilities: { streaming: false, extensions: [{ uri: "https://e.example" }] },
    defaultInputModes: [],
    defaultOutputModes: [],
    skills: [],
    securitySchemes: {
      m: { mtlsSecurityScheme: {} },
      k: { apiKeySecurityScheme: { location: "header", name: "X" } },
    },
    securityRequirements: [{ schemes: { m: { list: [] } } }],
    "x-vendor": { a: 1 },
  };

  it("come back as they came, vendor members included, for their signatures", () => {
    expect(reply(tables.AgentCard, card)).toBe(card);
  });

  it("an empty card: every REQUIRED member at once", () => {
    expect(violations(tables.AgentCard, {}).map((text) => text.split(":")[0])).toEqual([
      "name",
      "description",
      "supportedInterfaces",
      "version",
      "capabilities",
      "defaultInputModes",
      "defaultOutputModes",
      "skills",
    ]);
  });

  it.each([
    [{ supportedInterfaces: [] }, "supportedInterfaces: required, found an empty list"],
    [
      { supportedInterfaces: [{ url: "", protocolBinding: "", protocolVersion: "" }] },
      "supportedInterfaces[0].url: required, found an empty string",
    ],
    [
      { capabilities: { extensions: [{ uri: "" }] } },
      "capabilities.extensions[0].uri: required, found an empty string",
    ],
    [{ securitySchemes: { k: {} } }, "securitySchemes.k: expected exactly one of"],
    [
      { securitySchemes: { k: { httpAuthSecurityScheme: { scheme: "" } } } },
      "securitySchemes.k.httpAuthSecurityScheme.scheme: required, found an empty string",
    ],
    [
      { securityRequirements: [{ schemes: { k: ["scope"] } }] },
      "securityRequirements[0].schemes.k: expected an object, found a list",
    ],
    [{ signatures: [{}] }, "signatures[0].protected: required, found nothing"],
  ])("%j is refused", (change, text) => {
    expect(errorOf(() => reply(tables.AgentCard, { ...card, ...change })).message).toContain(text);
  });
});
