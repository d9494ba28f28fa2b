import { describe, expect, it } from "vitest";
import { decode, tryDecode, type Problem } from "../../src/codec.js";

const codes = (problems: readonly Problem[]): string[] =>
  problems.map(({ pointer, code }) => `${pointer} ${code}`.trim());

/** What `auto` makes of a value, and what it reports. */
function auto(
  type: Parameters<typeof decode>[0],
  json: unknown,
): { value: unknown; problems: string[]; losses: unknown } {
  const read = tryDecode(type, json);
  if (!read.ok) throw read.error;
  return { value: read.value, problems: codes(read.problems), losses: read.losses };
}

const hi = { text: "hi" };

describe("each object is read in the generation it has", () => {
  it("parts of 0.x in a task of 1.0", () => {
    const task = {
      id: "t",
      status: { state: "TASK_STATE_COMPLETED" },
      artifacts: [{ artifactId: "a", parts: [{ kind: "text", text: "hi" }, { text: "ho" }] }],
    };
    const { value, problems } = auto("task", task);
    expect(value).toEqual({ ...task, artifacts: [{ artifactId: "a", parts: [hi, { text: "ho" }] }] });
    expect(problems).toEqual(["/artifacts/0/parts/0/kind legacy_member"]);
  });

  it("a task of 0.x in a wrapper of 1.0, and leftovers of 0.x in objects of 1.0", () => {
    const status = { state: "TASK_STATE_WORKING" };
    const update = { kind: "status-update", taskId: "t", contextId: "c", status, final: false };
    expect(auto("event", { statusUpdate: update }).value).toEqual({
      statusUpdate: { taskId: "t", contextId: "c", status },
    });
    expect(auto("event", { kind: "task", task: { kind: "task", id: "t", status } })).toEqual({
      value: { task: { id: "t", status } },
      problems: ["/kind legacy_member", "/task/kind legacy_member"],
      losses: [],
    });
    const legacy = { kind: "task", id: "t", contextId: "c", status: { state: "canceled" } };
    expect(auto("event", { task: legacy }).value).toEqual({
      task: { id: "t", contextId: "c", status: { state: "TASK_STATE_CANCELED" } },
    });
  });

  it("what a part says in the words of both: nothing of 1.0 is lost", () => {
    expect(auto("part", { kind: "text", text: "<b>", mediaType: "text/html" }).value).toEqual({
      text: "<b>",
      mediaType: "text/html",
    });
    expect(
      auto("part", { file: { uri: "s3://b/k" }, mediaType: "image/png", filename: "k.png" }).value,
    ).toEqual({
      url: "s3://b/k",
      mediaType: "image/png",
      filename: "k.png",
    });
    expect(auto("part", { kind: "data", data: { a: 1 }, mediaType: "application/json" }).value).toEqual({
      data: { a: 1 },
      mediaType: "application/json",
    });
  });

  it("data of 0.x that is no object, and a file under a wrong kind", () => {
    expect(auto("part", { kind: "data", data: [1, 2] }).value).toEqual({ data: [1, 2] });
    expect(auto("part", { kind: "text", file: { uri: "s3://b/k" } }).value).toEqual({ url: "s3://b/k" });
  });

  it("a kind counts more than members, and marks what else is there as of 0.x", () => {
    const status = { state: "working" };
    expect(auto("event", { kind: "task", id: "t", taskId: "u", status }).value).toEqual({
      task: { id: "t", status: { state: "TASK_STATE_WORKING" } },
    });
    const message = { kind: "message", role: "ROLE_USER", messageId: "m", parts: [hi], "x-trace": 1 };
    expect(auto("message", message)).toEqual({
      value: { role: "ROLE_USER", messageId: "m", parts: [hi] },
      problems: ["/kind legacy_member", "/x-trace legacy_member"],
      losses: [],
    });
    const artifact = { artifactId: "a", parts: [hi] };
    expect(
      auto("artifactUpdate", { kind: "artifact-update", taskId: "t", contextId: "c", artifact }).value,
    ).toEqual({ taskId: "t", contextId: "c", artifact });
  });

  it("a part that says twice what it is stays refused", () => {
    expect(() => decode("part", { kind: "text", text: "x", url: "s3://b/k" })).toThrow(/exactly one/);
    expect(() => decode("part", { kind: "file", file: { bytes: "aGk=", uri: "s3://b/k" } })).toThrow(
      /bytes|uri/,
    );
    expect(() => decode("part", { kind: "file" })).toThrow(/exactly one|expected/);
  });

  it("flat push configurations with the authentication of 0.x", () => {
    const { value, losses } = auto("pushConfig", {
      taskId: "t",
      url: "https://c.example/h",
      authentication: { schemes: ["Basic", "Bearer"] },
    });
    expect(value).toEqual({ taskId: "t", url: "https://c.example/h", authentication: { scheme: "Basic" } });
    expect(losses).toEqual([{ path: "/authentication/schemes/1", code: "truncated" }]);
    const empty = { taskId: "t", url: "https://c.example/h", authentication: { schemes: [] } };
    expect(auto("pushConfig", empty)).toEqual({
      value: { taskId: "t", url: "https://c.example/h" },
      problems: ["empty_authentication"],
      losses: [],
    });
  });
});

describe("bare events", () => {
  const status = { state: "TASK_STATE_WORKING" };
  it.each([
    [
      "an artifact update by its artifact",
      { taskId: "t", contextId: "c", artifact: { artifactId: "a", parts: [hi] } },
      "artifactUpdate",
    ],
    [
      "a status update by a task id beside its status",
      { taskId: "t", contextId: "c", status },
      "statusUpdate",
    ],
    ["a message by role and parts", { role: "ROLE_AGENT", messageId: "m", parts: [hi] }, "message"],
    ["a task by an id beside its status", { id: "t", contextId: "c", status }, "task"],
  ])("%s", (_, bare, member) => {
    expect(auto("event", bare)).toEqual({
      value: { [member]: bare },
      problems: ["bare_payload"],
      losses: [],
    });
  });

  it("are refused where they are none, or two", () => {
    expect(() => decode("event", { id: "t" })).toThrow(
      expect.objectContaining({ reason: "INVALID_AGENT_RESPONSE" }) as Error,
    );
    const task = { id: "t", status };
    expect(() =>
      decode("event", { task, message: { role: "ROLE_AGENT", messageId: "m", parts: [hi] } }),
    ).toThrow(expect.objectContaining({ reason: "INVALID_AGENT_RESPONSE" }) as Error);
  });
});

describe("names and times", () => {
  it("states of every spelling; one that nobody has is unspecified, one like those of 1.x is kept", () => {
    expect(auto("status", { state: "input-required" }).value).toEqual({ state: "TASK_STATE_INPUT_REQUIRED" });
    expect(auto("status", { state: "TASK_STATE_CANCELLED" }).value).toEqual({ state: "TASK_STATE_CANCELED" });
    expect(auto("status", { state: "paused" })).toEqual({
      value: { state: "TASK_STATE_UNSPECIFIED" },
      problems: ["/state unknown_state"],
      losses: [],
    });
    expect(auto("status", { state: "TASK_STATE_PAUSED" }).value).toEqual({ state: "TASK_STATE_PAUSED" });
  });

  it("times without a zone are UTC; what is no time is dropped from a status of 0.x, and refused in one of 1.0", () => {
    expect(auto("status", { state: "working", timestamp: "2025-04-02T16:59:25.331844" }).value).toEqual({
      state: "TASK_STATE_WORKING",
      timestamp: "2025-04-02T16:59:25.331844Z",
    });
    const { value, problems } = auto("status", { state: "working", timestamp: "yesterday" });
    expect(value).toEqual({ state: "TASK_STATE_WORKING" });
    expect(problems).toContain("/timestamp bad_timestamp");
    expect(() => decode("status", { state: "TASK_STATE_WORKING", timestamp: "yesterday" })).toThrow(
      /timestamp/,
    );
  });

  it("members of 0.x that 1.x lacks are dropped, members that nobody knows are kept in objects of 1.x", () => {
    const message = { kind: "message", role: "user", messageId: "m", parts: [hi], "x-trace": "abc" };
    expect(auto("message", message).value).toEqual({ role: "ROLE_USER", messageId: "m", parts: [hi] });
    const newer = { role: "ROLE_USER", messageId: "m", parts: [hi], priority: 3 };
    expect(auto("message", newer).value).toEqual(newer);
  });

  it("an empty list of parts is passed on, as it is legal in 0.x", () => {
    const artifact = { artifactId: "a", parts: [] };
    expect(auto("artifact", artifact)).toEqual({
      value: artifact,
      problems: ["/parts empty_list"],
      losses: [],
    });
  });

  it("the ProtoJSON of 0.3: content, files and states by other names", () => {
    const message = {
      role: "ROLE_AGENT",
      message_id: "m",
      content: [{ text: "hi" }, { file: { fileWithUri: "s3://b/k", mimeType: "image/png" } }],
    };
    expect(auto("message", message).value).toEqual({
      role: "ROLE_AGENT",
      messageId: "m",
      parts: [hi, { url: "s3://b/k", mediaType: "image/png" }],
    });
    expect(auto("fileContent", { fileWithBytes: "aGk=", name: "a" }).value).toEqual({
      raw: "aGk=",
      filename: "a",
    });
  });
});

describe("what the tolerant mode reads anyway", () => {
  it("empty members beside the one that is meant, names of protobuf, a final without a kind", () => {
    expect(auto("part", { text: "x", url: "", raw: null }).value).toEqual({ text: "x" });
    const config = { task_id: "t", push_notification_config: { url: "https://c.example/h" } };
    expect(auto("pushConfig", config).value).toEqual({ taskId: "t", url: "https://c.example/h" });
    const update = { taskId: "t", contextId: "c", status: { state: "working" }, final: true };
    expect(auto("statusUpdate", update)).toMatchObject({
      value: { taskId: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" } },
      problems: ["/final legacy_member", "/status/state legacy_value"],
    });
  });

  it("cards, by the reader of the client", () => {
    const card = { name: "A", description: "d", version: "1", url: "https://a.example", skills: [] };
    const { value, problems } = auto("agentCard", card);
    expect(value).toMatchObject({ capabilities: {}, defaultInputModes: [] });
    expect(problems).toContain("/defaultInputModes missing_member");
  });
});

describe("the error of a bad value", () => {
  it("points to where it is", () => {
    const parts = [
      { kind: "text", text: "a" },
      { kind: "file", file: { bytes: "?" } },
    ];
    const read = tryDecode("message", { kind: "message", role: "user", messageId: "m", parts });
    expect(read).toMatchObject({
      ok: false,
      error: { violations: [{ pointer: "/parts/1/file/bytes", field: "parts[1].file.bytes" }] },
    });
  });

  it.each([null, undefined, "x", 1, [], true])("is an A2AError for %j", (json) => {
    for (const type of ["task", "event", "part", "fileContent", "agentCard", "pushConfig"] as const) {
      expect(tryDecode(type, json), type).toMatchObject({ ok: false });
    }
  });
});
