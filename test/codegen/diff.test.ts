import { describe, expect, it } from "vitest";
import type { Change } from "../../codegen/diff/changes.js";
import { compareModels } from "../../codegen/diff/compare.js";
import { modelOfRelease } from "../../codegen/diff/model-of-release.js";
import { compose, declaredRenames, noRenames, type Renames } from "../../codegen/diff/renames.js";
import { renderDiff } from "../../codegen/diff/render.js";
import { diffReleases } from "../../codegen/diff.js";
import { haveOfficial, officialDir } from "./official-files.js";
import { irOf } from "./ir-of.js";

const text = { type: "string" };
const object = (properties: object, required: string[] = []): object => ({
  type: "object",
  properties,
  required,
});
const AgentCard = object({});
const between = (from: object, to: object, renames: Partial<Renames> = {}): readonly Change[] =>
  compareModels(irOf({ AgentCard, ...from }), irOf({ AgentCard, ...to }), { ...noRenames, ...renames })
    .changes;

describe("what a diff reports", () => {
  it("types and fields that came and went", () => {
    expect(
      between(
        { A: object({ a: text, b: text }), Old: object({ o: text }) },
        { A: object({ a: text, c: { type: "array", items: text } }, ["c"]), New: object({ n: text }) },
      ),
    ).toEqual([
      { change: "added", what: "type", name: "New" },
      { change: "removed", what: "type", name: "Old" },
      { change: "added", what: "field", name: "A.c", now: "string[], required" },
      { change: "removed", what: "field", name: "A.b", was: "string" },
    ]);
  });

  it("other types and requiredness of a field", () => {
    expect(
      between(
        { A: object({ a: text, b: text }, ["b"]) },
        { A: object({ a: { type: "integer" }, b: text }, ["a"]) },
      ),
    ).toEqual([
      { change: "retyped", what: "field", name: "A.a", was: "string", now: "integer" },
      { change: "made required", what: "field", name: "A.a" },
      { change: "made optional", what: "field", name: "A.b" },
    ]);
  });

  it("members of unions, whatever their order", () => {
    const union = (...names: string[]): object => ({
      anyOf: names.map((name) => ({ $ref: `#/definitions/${name}` })),
    });
    const types = {
      A: object({ a: text }, ["a"]),
      B: object({ b: text }, ["b"]),
      C: object({ c: text }, ["c"]),
    };
    expect(between({ ...types, U: union("A", "B") }, { ...types, U: union("B", "A") })).toEqual([]);
    expect(between({ ...types, U: union("A", "B") }, { ...types, U: union("A", "B", "C") })).toEqual([
      { change: "retyped", what: "type", name: "U", was: "A | B", now: "A | B | C" },
    ]);
  });

  it("enum values: by spelling, else by key", () => {
    expect(
      between({ S: { enum: ["input-required", "gone"] } }, { S: { enum: ["S_INPUT_REQUIRED", "S_NEW"] } }),
    ).toEqual([
      { change: "added", what: "value", name: "S.S_NEW" },
      { change: "removed", what: "value", name: "S.gone" },
      {
        change: "renamed",
        what: "value",
        name: "S.S_INPUT_REQUIRED",
        was: "input-required",
        now: "S_INPUT_REQUIRED",
      },
    ]);
  });

  it("errors by code, methods by name or wire name", () => {
    const error = (code: number): object => object({ code: { const: code }, message: text });
    const request = (method: string): object => object({ method: { const: method } });
    const response = object({ result: text });
    expect(
      between(
        {
          OldError: error(-32001),
          GoneError: error(-32002),
          SendRequest: request("send"),
          SendResponse: response,
        },
        {
          NewError: error(-32001),
          AddedError: error(-32003),
          SendRequest: request("message/send"),
          SendResponse: response,
        },
      ).filter(({ what }) => what === "error" || what === "method"),
    ).toEqual([
      { change: "renamed", what: "method", name: "Send", was: "Send (send)", now: "Send (message/send)" },
      { change: "added", what: "error", name: "ADDED", now: "-32003" },
      { change: "removed", what: "error", name: "GONE", was: "-32002" },
      { change: "renamed", what: "error", name: "NEW", was: "OLD", now: "NEW" },
    ]);
  });
});

describe("renames", () => {
  const fields = { id: text, name: text, url: text };
  it("are found where two objects are each other's only likeness", () => {
    expect(between({ Old: object(fields) }, { New: object({ ...fields, more: text }) })).toEqual([
      { change: "renamed", what: "type", name: "New", was: "Old", now: "New" },
      { change: "added", what: "field", name: "New.more", now: "string" },
    ]);
    const twins = between({ Old: object(fields) }, { New: object(fields), Other: object(fields) });
    expect(twins.map(({ change, name }) => `${change} ${name}`)).toEqual([
      "added New",
      "added Other",
      "removed Old",
    ]);
    const unlike = between(
      { Old: object({ id: text, a: text, b: text, c: text }) },
      { New: object({ id: text, d: text }) },
    );
    expect(unlike.map(({ change }) => change)).toEqual(["added", "removed"]);
  });

  it("change no type of a field that refers to the renamed type", () => {
    const holder = (name: string): object => object({ it: { $ref: `#/definitions/${name}` } });
    expect(
      between({ Old: object(fields), H: holder("Old") }, { New: object(fields), H: holder("New") }),
    ).toEqual([{ change: "renamed", what: "type", name: "New", was: "Old", now: "New" }]);
  });

  it("that are declared win over a name that was given to something else", () => {
    const changes = between(
      { Params: object({ id: text, old: text }), Request: object({ method: text }) },
      { Request: object({ id: text, fresh: text }) },
      { types: { Params: "Request" }, fields: { "Params.old": "fresh" } },
    );
    expect(changes).toEqual([
      { change: "removed", what: "type", name: "Request" },
      { change: "renamed", what: "type", name: "Request", was: "Params", now: "Request" },
      { change: "renamed", what: "field", name: "Request.fresh", was: "old", now: "fresh" },
    ]);
  });

  it("chain over several steps", () => {
    const one: Renames = { types: { A: "B" }, fields: { "A.x": "y" }, methods: { M: "N" } };
    const two: Renames = {
      types: { B: "C", P: "Q" },
      fields: { "B.y": "z", "B.k": "l" },
      methods: { N: "O" },
    };
    expect(compose(one, two)).toEqual({
      types: { A: "C", P: "Q" },
      fields: { "A.x": "z", "A.k": "l" },
      methods: { M: "O" },
    });
  });
});

describe("0.3.0 → 1.0.1, from the committed schemas", () => {
  const diff = async (): Promise<readonly Change[]> => {
    const [from, to] = [await modelOfRelease("0.3.0", undefined), await modelOfRelease("1.0.1", undefined)];
    return compareModels(from, to, await declaredRenames("0.3.0", "1.0.1")).changes;
  };
  const lines = (changes: readonly Change[], what: Change["what"], change: Change["change"]): string[] =>
    changes
      .filter((c) => c.what === what && c.change === change)
      .map(({ name, was, now }) => (was === undefined || now === undefined ? name : `${was} → ${now}`));

  it("names the types that are new, and the parameter messages by what they were", async () => {
    const changes = await diff();
    expect(lines(changes, "type", "added")).toEqual([
      "DeviceCodeOAuthFlow",
      "GetExtendedAgentCardRequest",
      "ListTasksRequest",
      "ListTasksResponse",
      "SecurityRequirement",
      "StringList",
      "SubscribeToTaskRequest",
    ]);
    expect(lines(changes, "type", "renamed")).toEqual([
      "PushNotificationAuthenticationInfo → AuthenticationInfo",
      "TaskIdParams → CancelTaskRequest",
      "DeleteTaskPushNotificationConfigParams → DeleteTaskPushNotificationConfigRequest",
      "GetTaskPushNotificationConfigParams → GetTaskPushNotificationConfigRequest",
      "TaskQueryParams → GetTaskRequest",
      "ListTaskPushNotificationConfigParams → ListTaskPushNotificationConfigsRequest",
      "ListTaskPushNotificationConfigResult → ListTaskPushNotificationConfigsResponse",
      "MutualTLSSecurityScheme → MutualTlsSecurityScheme",
      "MessageSendConfiguration → SendMessageConfiguration",
      "MessageSendParams → SendMessageRequest",
      "SendMessageResult → SendMessageResponse",
      "SendStreamingMessageResult → StreamResponse",
      "PushNotificationConfig → TaskPushNotificationConfig",
    ]);
    // The envelope of that name is gone: seven names of 0.3 mean something else in 1.0.
    const removed = lines(changes, "type", "removed");
    for (const name of [
      "SendMessageRequest",
      "SendMessageResponse",
      "GetTaskRequest",
      "CancelTaskRequest",
      "TaskPushNotificationConfig",
    ])
      expect(removed).toContain(name);
  });

  it("lists the fields of an object that was a union", async () => {
    const added = lines(await diff(), "field", "added").filter((name) => name.startsWith("Part."));
    expect(added).toEqual(
      ["data", "filename", "mediaType", "metadata", "raw", "text", "url"].map((name) => `Part.${name}`),
    );
  });

  it("drops every discriminator and renames every state", async () => {
    const changes = await diff();
    const gone = lines(changes, "field", "removed").filter((name) => /\.(kind|type|final)$/.test(name));
    expect(gone).toEqual([
      "APIKeySecurityScheme.type",
      "HTTPAuthSecurityScheme.type",
      "Message.kind",
      "MutualTLSSecurityScheme.type",
      "OAuth2SecurityScheme.type",
      "OpenIdConnectSecurityScheme.type",
      "Task.kind",
      "TaskArtifactUpdateEvent.kind",
      "TaskStatusUpdateEvent.final",
      "TaskStatusUpdateEvent.kind",
    ]);
    expect(lines(changes, "value", "renamed")).toHaveLength(11);
    expect(lines(changes, "value", "added")).toEqual(["Role.ROLE_UNSPECIFIED"]);
    expect(lines(changes, "value", "removed")).toEqual([]);
  });

  it("has one new method, two new errors, one renamed", async () => {
    const changes = await diff();
    expect(lines(changes, "method", "added")).toEqual(["ListTasks"]);
    expect(lines(changes, "method", "removed")).toEqual([]);
    expect(lines(changes, "error", "added")).toEqual(["EXTENSION_SUPPORT_REQUIRED", "VERSION_NOT_SUPPORTED"]);
    expect(lines(changes, "error", "renamed")).toEqual([
      "AUTHENTICATED_EXTENDED_CARD_NOT_CONFIGURED → EXTENDED_AGENT_CARD_NOT_CONFIGURED",
    ]);
  });

  it("prints as a table, and as JSON", async () => {
    const table = (await diffReleases("0.3.0", "1.0.1", false)).split("\n");
    expect(table[0]).toMatch(/^A2A 0\.3\.0 → 1\.0\.1: \d+ added, \d+ removed/);
    expect(table.find((line) => line.includes("MutualTlsSecurityScheme"))).toMatch(
      /^type +renamed +MutualTlsSecurityScheme +MutualTLSSecurityScheme → MutualTlsSecurityScheme$/,
    );
    const json = JSON.parse(await diffReleases("0.3", "1.0", true)) as { changes: Change[] };
    expect(json.changes).toEqual(await diff());
  });

  it("of long unions prints only what came and went", () => {
    const was = "A | B | C | D";
    const line = renderDiff({
      from: "1",
      to: "2",
      changes: [{ change: "retyped", what: "type", name: "U", was, now: "A | B | C | E" }],
    });
    expect(line).toMatch(/retyped +U +\+ E, - D\n/);
  });

  it("names what to do for a release that is not committed", async () => {
    await expect(modelOfRelease("0.2.4", undefined)).rejects.toThrow(
      /0\.2\.4: is not committed \(set A2A_OFFICIAL_DIR/,
    );
  });
});

describe.runIf(haveOfficial("diffs of the published releases"))("published neighbours", () => {
  /** Definitions that came, went and changed, as the published files differ; our names for inline types do not count. */
  const steps: [string, string, { added: number; removed: number; renamed: number; changed: string[] }][] = [
    ["0.2.0", "0.2.1", { added: 0, removed: 0, renamed: 0, changed: ["AgentCard", "Message"] }],
    ["0.2.2", "0.2.3", { added: 0, removed: 0, renamed: 0, changed: [] }],
    ["0.2.3", "0.2.4", { added: 1, removed: 0, renamed: 0, changed: ["AgentCard"] }],
    [
      "0.2.4",
      "0.2.5",
      {
        added: 9,
        removed: 0,
        renamed: 0,
        changed: ["A2ARequest", "AgentCard", "GetTaskPushNotificationConfigRequest", "JSONRPCResponse"],
      },
    ],
    ["0.2.5", "0.2.6", { added: 0, removed: 0, renamed: 0, changed: ["MessageSendConfiguration"] }],
    [
      "0.2.6",
      "0.3.0",
      {
        added: 7,
        removed: 0,
        renamed: 0,
        changed: [
          "A2AError",
          "A2ARequest",
          "AgentCard",
          "AgentSkill",
          "JSONRPCErrorResponse",
          "JSONRPCResponse",
          "OAuth2SecurityScheme",
          "SecurityScheme",
        ],
      },
    ],
    ["1.0.0", "1.0.1", { added: 0, removed: 0, renamed: 0, changed: [] }],
  ];
  it.each(steps)("%s → %s", async (from, to, expected) => {
    const diff = compareModels(
      await modelOfRelease(from, officialDir),
      await modelOfRelease(to, officialDir),
      await declaredRenames(from, to),
    );
    const ours = /^(Empty|\w+Result|\w+Input)$/;
    const types = diff.changes.filter(({ what, name }) => what === "type" && !ours.test(name));
    const count = (change: Change["change"]): number => types.filter((type) => type.change === change).length;
    const inside = diff.changes.filter(
      ({ what, change }) => what === "field" || what === "value" || (what === "type" && change === "retyped"),
    );
    const changed = [...new Set(inside.map(({ name }) => name.split(".")[0] ?? ""))].sort();
    expect({ added: count("added"), removed: count("removed"), renamed: count("renamed"), changed }).toEqual(
      expected,
    );
  });

  it("0.2.1 → 0.2.2: the base response got another name, and ids became required", async () => {
    const diff = compareModels(
      await modelOfRelease("0.2.1", officialDir),
      await modelOfRelease("0.2.2", officialDir),
    );
    expect(
      diff.changes.filter(({ what }) => what === "type").map(({ change, name }) => `${change} ${name}`),
    ).toEqual(["added AgentExtension", "renamed JSONRPCSuccessResponse"]);
    const required = diff.changes
      .filter(({ change }) => change === "made required")
      .map(({ name }) => name.split(".")[1]);
    expect(new Set(required)).toEqual(new Set(["id"]));
  });

  it("0.1.0 → 0.2.0: a new protocol under declared renames", async () => {
    const diff = compareModels(
      await modelOfRelease("0.1.0", officialDir),
      await modelOfRelease("0.2.0", officialDir),
      await declaredRenames("0.1.0", "0.2.0"),
    );
    const of = (what: Change["what"], change: Change["change"]): string[] =>
      diff.changes.filter((c) => c.what === what && c.change === change).map(({ name }) => name);
    expect(of("type", "removed")).toEqual(["AgentAuthentication"]);
    expect(of("method", "removed")).toEqual([]);
    expect(of("method", "renamed")).toEqual([
      "GetTaskPushNotificationConfig",
      "SendMessage",
      "SendStreamingMessage",
      "SetTaskPushNotificationConfig",
    ]);
    expect(of("value", "added")).toEqual(["TaskState.auth-required", "TaskState.rejected"]);
    expect(of("error", "added")).toEqual(["CONTENT_TYPE_NOT_SUPPORTED", "INVALID_AGENT_RESPONSE"]);
  });
});
