import { describe, expect, it } from "vitest";
import { convert } from "../../src/convert.js";
import { isA2AError } from "../../src/errors.js";

const message = { kind: "message", role: "user", messageId: "m", parts: [{ kind: "text", text: "a" }] };
const message10 = { role: "ROLE_USER", messageId: "m", parts: [{ text: "a" }] };

describe("versions are named by line or by release", () => {
  it.each(["0.2", "0.2.0", "0.2.3", "0.2.6", "0.3", "0.3.0", "0.3.7"])("%s", (version) => {
    expect(convert("Message", message, { from: version, to: "1.0.1" }).value).toEqual(message10);
    expect(convert("Message", message10, { from: "1.0", to: version }).value).toEqual(message);
  });

  it.each(["0.1", "2.0", "1", "v1.0", "1.0.1.2", "0.3.x", ""])("%j is refused, with the list", (version) => {
    expect(() => convert("Message", message, { from: version, to: "1.0" })).toThrow(
      expect.objectContaining({
        reason: "CONFIG",
        message: expect.stringMatching(/1\.0, 0\.3, 0\.2/) as string,
      }) as Error,
    );
  });

  it("one and the same version gives the very value back", () => {
    expect(convert("Message", message10, { from: "1.0.0", to: "1.0.1" }).value).toBe(message10);
    expect(convert("Message", message, { from: "0.2.1", to: "0.3" }).value).toBe(message);
  });
});

describe("types are named as in 1.0", () => {
  it("older names do where they say which", () => {
    const params = { message, configuration: { blocking: true } };
    for (const type of ["SendMessageRequest", "MessageSendParams"])
      expect(convert(type, params, { from: "0.3", to: "1.0" }).value).toMatchObject({ message: message10 });
    expect(
      convert("PushNotificationConfig", { url: "https://x.example" }, { from: "0.2", to: "1.0" }).value,
    ).toEqual({
      url: "https://x.example",
    });
  });

  it("a type that nobody has is a mistake of the caller, one that a version lacks cannot be converted", () => {
    const run = (type: string) => () => convert(type, {}, { from: "1.0", to: "0.3" });
    expect(run("Tsak")).toThrow(expect.objectContaining({ reason: "CONFIG" }) as Error);
    expect(run("constructor")).toThrow(expect.objectContaining({ reason: "CONFIG" }) as Error);
    expect(run("task")).toThrow("A2A has no type task: name one of version 1.0; did you mean Task?");
    expect(run("ListTasksRequest")).toThrow(
      expect.objectContaining({ reason: "UNSUPPORTED_OPERATION", code: -32004 }) as Error,
    );
  });

  it("results of operations have the names of 1.0, too", () => {
    const up = { from: "0.3", to: "1.0" } as const;
    expect(convert("DeleteTaskPushNotificationConfigResponse", null, up).value).toEqual({});
    expect(convert("SecurityRequirement", { a: ["b"] }, { from: "0.2", to: "1.0" }).value).toEqual({
      schemes: { a: { list: ["b"] } },
    });
  });
});

describe("releases of 0.2 differ", () => {
  const config = { blocking: true };
  const type = "SendMessageConfiguration";

  it.each([
    ["0.2.0", true],
    ["0.2.5", true],
    ["0.2.6", false],
    ["0.2", true],
  ])("acceptedOutputModes is written for %s: %s", (to, isWritten) => {
    for (const [from, value] of [
      ["0.3", config],
      ["1.0", {}],
      ["0.2.6", config],
    ] as const) {
      // Nobody knows which release of 0.2 is meant: from itself to itself, nothing changes.
      if (from === "0.2.6" && to === "0.2.6") continue;
      const { value: out, losses } = convert(type, value, { from, to });
      expect(out).toEqual({ blocking: true, ...(isWritten && { acceptedOutputModes: [] }) });
      expect(losses).toEqual(isWritten ? [{ path: "/acceptedOutputModes", code: "synthesized" }] : []);
    }
  });

  it.each([
    ["0.2.4", false],
    ["0.2.5", true],
    ["0.2", true],
  ])("a request for a push configuration names it in %s: %s", (to, isNamed) => {
    const request = { taskId: "t", id: "p" };
    const { value, losses } = convert("GetTaskPushNotificationConfigRequest", request, { from: "1.0", to });
    expect(value).toEqual({ id: "t", ...(isNamed && { pushNotificationConfigId: "p" }) });
    expect(losses).toEqual(isNamed ? [] : [{ path: "/id", code: "dropped" }]);
  });

  const card = {
    name: "A",
    description: "D",
    version: "1",
    url: "https://a.example",
    capabilities: {},
    defaultInputModes: [],
    defaultOutputModes: [],
    skills: [],
  };

  it("cards before 0.2.5 do not say their version", () => {
    for (const [from, protocolVersion] of [
      ["0.2.3", "0.2.3"],
      ["0.2", "0.2"],
    ] as const) {
      const { value, losses } = convert("AgentCard", card, { from, to: "0.3" });
      expect(value).toMatchObject({ protocolVersion });
      expect(losses).toEqual([{ path: "/protocolVersion", code: "synthesized" }]);
      expect(convert("AgentCard", card, { from, to: "1.0" }).value).toMatchObject({
        supportedInterfaces: [{ url: card.url, protocolBinding: "JSONRPC", protocolVersion: "0.2" }],
      });
    }
    expect(() => convert("AgentCard", card, { from: "0.2.5", to: "0.3" })).toThrow(
      /protocolVersion: required/,
    );
  });

  it("going down a card gets the release that it is for", () => {
    const newer = { ...card, protocolVersion: "0.3.0" };
    for (const [to, protocolVersion] of [
      ["0.2.5", "0.2.5"],
      ["0.2", "0.2.6"],
    ] as const)
      expect(convert("AgentCard", newer, { from: "0.3", to })).toEqual({
        value: { ...card, protocolVersion },
        losses: [{ path: "/protocolVersion", code: "normalized" }],
      });
  });

  it("mutual TLS goes from the schemes of a 0.2 card, its requirement does not", () => {
    const newer = {
      ...card,
      protocolVersion: "0.2.6",
      securitySchemes: { m: { type: "mutualTLS" }, k: { type: "http", scheme: "Bearer" } },
      security: [{ m: [] }],
      signatures: [{ protected: "a", signature: "b" }],
    };
    const { value, losses } = convert("AgentCard", newer, { from: "0.3", to: "0.2" });
    expect(value).toEqual({
      ...card,
      protocolVersion: "0.2.6",
      securitySchemes: { k: newer.securitySchemes.k },
      security: [{ m: [] }],
    });
    expect(losses).toEqual([
      { path: "/securitySchemes/m", code: "dropped" },
      { path: "/signatures", code: "dropped" },
    ]);
    expect(() => convert("SecurityScheme", { type: "mutualTLS" }, { from: "0.3", to: "0.2" })).toThrow(
      /no place in the other version/,
    );
  });
});

it("who names ever new releases does not fill the memory, and gets an answer", () => {
  for (let patch = 0; patch < 20_000; patch += 7)
    convert("Message", message, { from: `0.3.${String(patch)}`, to: "1.0" });
  expect(isA2AError(undefined)).toBe(false);
});
