/** The objects of the protocol as they are on the wire, and the names of 0.3 that go on to work. */
import { describe, expect, it } from "vitest";
import { connect } from "../../src/client.js";
import { TaskState } from "../../src/versions/pivot.js";
import { textOf as pivotText } from "../../src/versions/pivot.js";
import { agentOf, gate, skill } from "../server/agents.js";
import {
  bindings,
  callerOf,
  fieldsOf,
  host,
  reasonOf,
  say,
  short,
  textOf,
  type Frame,
  type Json,
} from "./support.js";

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const states = [
  "UNSPECIFIED",
  "SUBMITTED",
  "WORKING",
  "COMPLETED",
  "FAILED",
  "CANCELED",
  "INPUT_REQUIRED",
  "REJECTED",
  "AUTH_REQUIRED",
];

/** Says something on every occasion. */
const talkative = agentOf(async (ctx) => {
  ctx.working("on it");
  ctx.artifact("whole", { name: "a" });
  const out = ctx.open({ name: "b" });
  void out.write("1");
  void out.write("2");
  await out.close();
  return ctx.completed("done");
});

/** Names of all members at every level; those of free data are left alone. */
function namesIn(value: Json, names = new Set<string>()): Set<string> {
  if (typeof value !== "object" || value === null) return names;
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) names.add(name);
    if (!["metadata", "data"].includes(name)) namesIn(inner, names);
  }
  return names;
}

describe.each(bindings)("over %s", (binding) => {
  it("events have what is required of them, and nothing of 0.x (A2A-4.1.1-a, A2A-4.1.1-b, A2A-4.1.2-a, A2A-4.1.2-b, A2A-4.1.2-c, A2A-4.1.4-b, A2A-4.2.1-a, A2A-4.2.2-a, A2A-4.2.2-c, A2A-4.2.2-d, A2A-A.2.1-a)", async () => {
    await using on = await host(binding, talkative);
    const frames = await (await on.stream("SendStreamingMessage", say("x"))).rest();
    expect(frames.map(short)).toEqual([
      "task SUBMITTED",
      "statusUpdate WORKING",
      "artifactUpdate whole",
      "artifactUpdate 1",
      "artifactUpdate 2",
      "artifactUpdate ",
      "statusUpdate COMPLETED",
    ]);
    const { id, contextId }: Json = frames[0]?.event.task ?? {};
    const messageIds = new Set<string>();
    for (const { event } of frames) {
      const status = (event.task ?? event.statusUpdate)?.status;
      if (status) {
        expect(status.state).toMatch(/^TASK_STATE_/);
        expect(status.timestamp).toMatch(TIME);
        if (status.message) {
          expect(status.message).toMatchObject({ role: "ROLE_AGENT", taskId: id, contextId });
          messageIds.add(status.message.messageId);
        }
      }
      const { statusUpdate, artifactUpdate } = event;
      if (statusUpdate) {
        expect(Object.keys(statusUpdate).sort()).toEqual(["contextId", "status", "taskId"]);
        expect(statusUpdate).toMatchObject({ taskId: id, contextId });
      }
      if (artifactUpdate) {
        expect(artifactUpdate).toMatchObject({ taskId: id, contextId });
        expect(artifactUpdate.artifact.artifactId).toMatch(/./);
        expect(artifactUpdate.artifact.parts.length).toBeGreaterThan(0);
      }
    }
    expect(messageIds.size).toBe(2);
    for (const messageId of messageIds) expect(messageId).toMatch(/^[0-9a-f-]{36}$/);
    const names = namesIn(frames.map(({ event }) => event as object));
    for (const name of ["kind", "final", "index", "file", "type"]) expect(names).not.toContain(name);
    for (const name of names) expect(name).not.toContain("_");
    // The last chunk says so, and no other.
    const chunks = frames
      .map(({ event }) => event.artifactUpdate)
      .filter(
        (update) => update?.artifact.artifactId === frames[3]?.event.artifactUpdate.artifact.artifactId,
      );
    expect(chunks.map(({ append, lastChunk }) => [append ?? false, lastChunk ?? false])).toEqual([
      [false, false],
      [true, false],
      [true, true],
    ]);
    const task = await on.ok("GetTask", { id });
    expect(task.artifacts.map((artifact: Json) => [artifact.name, textOf(artifact)])).toEqual([
      ["a", "whole"],
      ["b", "12"],
    ]);
    expect(namesIn(task)).not.toContain("kind");
  });

  it("what is empty or not set is left out (A2A-4.1.1-c)", async () => {
    await using on = await host(
      binding,
      agentOf(async () => undefined),
    );
    const task = await on.send("x", { extensions: [], referenceTaskIds: [], metadata: {} });
    expect(Object.keys(task).sort()).toEqual(["contextId", "history", "id", "status"]);
    expect(Object.keys(task.status).sort()).toEqual(["state", "timestamp"]);
    const whole = await (
      await on.stream("SendStreamingMessage", { ...say("x"), configuration: { historyLength: 0 } })
    ).next();
    expect(Object.keys(whole?.event.task).sort()).toEqual(["contextId", "id", "status"]);
  });

  it("parts of every kind come back as they were sent, over either binding (A2A-4-a, A2A-4.1.6-b, A2A-4.1.6-c, A2A-4.1.6-d, A2A-4.1.6-e)", async () => {
    const more = { filename: "a.bin", mediaType: "text/plain", metadata: { n: null, list: [1] } };
    const parts = [
      { text: "" },
      { text: "a", ...more },
      { raw: "" },
      { raw: "AAH/fg==", ...more },
      { url: "https://example.com/x", ...more },
      { data: null },
      ...[null, 0, "", false, [1, [null]], { deep: { null: null } }].map((data) => ({ data, ...more })),
    ];
    await using on = await host(
      binding,
      agentOf(async (_ctx, message) => message.parts),
    );
    const task = await on.send("", { parts });
    expect(task.history[0].parts).toStrictEqual(parts);
    expect(task.artifacts[0].parts).toStrictEqual(parts);
    for (const other of bindings)
      expect(await callerOf(on.url, other).ok("GetTask", { id: task.id })).toStrictEqual(task);
    const frames = await (await on.stream("SendStreamingMessage", say("", { parts }))).rest();
    expect(frames[1]?.event.artifactUpdate.artifact.parts).toStrictEqual(parts);
  });

  it("an artifact has parts, and one of its id: chunks are added, another takes its place (A2A-4.1.7-a, A2A-4.1.7-b, A2A-4.2.2-b)", async () => {
    const thrown: unknown[] = [];
    const agent = agentOf(async (ctx) => {
      try {
        ctx.artifact([]);
      } catch (error) {
        thrown.push(error);
      }
      const out = ctx.open({ artifactId: "one" });
      for (const text of ["a", "b", "c"]) void out.write({ text });
      await out.close();
      ctx.artifact("other", { artifactId: "two" });
      ctx.artifact("replaced", { artifactId: "two" });
      return ctx.completed();
    });
    await using on = await host(binding, agent);
    const frames = await (await on.stream("SendStreamingMessage", say("x"))).rest();
    const seen = frames.flatMap(({ event }: Frame): Json[] =>
      event.artifactUpdate ? [event.artifactUpdate] : [],
    );
    expect(
      seen.map(({ artifact, append }) => [artifact.artifactId, textOf(artifact), append ?? false]),
    ).toEqual([
      ["one", "a", false],
      ["one", "b", true],
      ["one", "c", true],
      ["one", "", true],
      ["two", "other", false],
      ["two", "replaced", false],
    ]);
    const { artifacts } = await on.ok("GetTask", { id: frames[0]?.event.task.id });
    expect(artifacts.map((artifact: Json) => artifact.artifactId)).toEqual(["one", "two"]);
    expect(artifacts[0].parts.slice(0, 3)).toEqual([{ text: "a" }, { text: "b" }, { text: "c" }]);
    expect(artifacts[1].parts).toEqual([{ text: "replaced" }]);
    expect(thrown).toHaveLength(1);
    expect(thrown[0]).toBeInstanceOf(TypeError);
  });

  it("nine states, by their names, in filters and tasks (A2A-4.1.3-a, A2A-4.1.3-f)", async () => {
    expect(Object.values(TaskState).sort()).toEqual(states.map((name) => `TASK_STATE_${name}`).sort());
    const agent = agentOf(async (ctx, message) => {
      const outcome = pivotText(message) as
        "completed" | "failed" | "canceled" | "rejected" | "inputRequired" | "authRequired";
      return ctx[outcome]();
    });
    await using on = await host(binding, agent);
    const outcomes = ["completed", "failed", "canceled", "rejected", "inputRequired", "authRequired"];
    const made: string[] = [];
    for (const outcome of outcomes) made.push((await on.send(outcome)).status.state);
    expect(made).toEqual(
      ["COMPLETED", "FAILED", "CANCELED", "REJECTED", "INPUT_REQUIRED", "AUTH_REQUIRED"].map(
        (name) => `TASK_STATE_${name}`,
      ),
    );
    for (const name of states) {
      const status = `TASK_STATE_${name}`;
      const { totalSize } = await on.ok("ListTasks", { status });
      expect([status, totalSize]).toEqual([
        status,
        name === "UNSPECIFIED" ? 6 : made.includes(status) ? 1 : 0,
      ]);
    }
    for (const status of ["TASK_STATE_CANCELLED", "completed", "COMPLETED", "TASK_STATE_SLEEPING"]) {
      const refused = await on.call("ListTasks", { status });
      expect([status, reasonOf(refused), fieldsOf(refused)]).toEqual([status, "INVALID_PARAMS", ["status"]]);
    }
  });

  it("four states end a task, two pause it: what each allows (A2A-4.1.3-b, A2A-4.1.3-c)", async () => {
    const outcomes = [
      "completed",
      "failed",
      "canceled",
      "rejected",
      "inputRequired",
      "authRequired",
    ] as const;
    for (const outcome of outcomes) {
      await using on = await host(
        binding,
        agentOf(async (ctx) => (ctx.turn === 1 ? ctx[outcome]() : ctx.completed())),
      );
      const { id } = await on.send("x");
      const stream = await on.stream("SubscribeToTask", { id });
      const isOver = stream.refused !== undefined;
      const again = await on.call("SendMessage", say("y", { taskId: id }));
      await stream.close();
      const paused = outcome.endsWith("Required");
      expect([outcome, isOver]).toEqual([outcome, !paused]);
      if (paused) expect(again.result.task.status.state).toBe("TASK_STATE_COMPLETED");
      else expect(reasonOf(again)).toBe("UNSUPPORTED_OPERATION");
    }
  });

  it("a task may be rejected at once or later (A2A-4.1.3-d)", async () => {
    const go = gate();
    const agent = agentOf(async (ctx, message) => {
      if (pivotText(message) === "at once") return ctx.rejected("no");
      ctx.working();
      await go.passed;
      return ctx.rejected("not that either");
    });
    await using on = await host(binding, agent);
    expect((await on.send("at once")).status.state).toBe("TASK_STATE_REJECTED");
    const stream = await on.stream("SendStreamingMessage", say("later"));
    expect(short((await stream.next()) as Frame)).toBe("task SUBMITTED");
    expect(short((await stream.next()) as Frame)).toBe("statusUpdate WORKING");
    go.open();
    expect((await stream.rest()).map(short)).toEqual(["statusUpdate REJECTED"]);
  });

  it("names, routes and shapes of 0.3 go on to work on the same task, and each generation gets its own (A2A-1.4-d, A2A-A-a, A2A-A-f, A2A-A.2.1-b)", async () => {
    const card = { name: "T", description: "d", skills: [skill], capabilities: { streaming: true } };
    const agent = agentOf(
      async (ctx, message) => {
        if (ctx.turn > 1) return "done";
        ctx.artifact(message.parts);
        return ctx.inputRequired("?");
      },
      { card },
    );
    await using on = await host(binding, agent, { checkInputModes: false });
    const rpc = binding === "JSONRPC";
    const parts03 = [
      { kind: "text", text: "a" },
      { kind: "file", file: { bytes: "AAE=", name: "a.bin", mimeType: "image/png" } },
      { kind: "file", file: { uri: "https://example.com/x", mimeType: "image/png" } },
      { kind: "data", data: { n: 1 } },
    ];
    const form03 = [
      { text: "a" },
      { file: { fileWithBytes: "AAE=", mimeType: "image/png" } },
      { file: { fileWithUri: "https://example.com/x", mimeType: "image/png" } },
      { data: { data: { n: 1 } } },
    ];
    const parts10 = [
      { text: "a" },
      // The proto of 0.3.0 has no name for a file.
      { raw: "AAE=", ...(rpc && { filename: "a.bin" }), mediaType: "image/png" },
      { url: "https://example.com/x", mediaType: "image/png" },
      { data: { n: 1 } },
    ];
    const old = async (method: string, verb: string, path: string, params: Json): Promise<Json> => {
      const json = { "content-type": "application/json", "a2a-version": "0.3" };
      const response =
        binding === "JSONRPC"
          ? await fetch(on.url, {
              method: "POST",
              headers: json,
              body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
            })
          : await fetch(on.url + path, {
              method: verb,
              headers: json,
              ...(verb === "POST" && { body: JSON.stringify(params) }),
            });
      expect([method, response.status]).toEqual([method, 200]);
      if (response.headers.get("content-type")?.includes("event-stream") === true) {
        const blocks = (await response.text()).split("\n").filter((line) => line.startsWith("data: "));
        return blocks.map((line): Json => JSON.parse(line.slice(6))).map((data) => data.result ?? data);
      }
      const body: Json = await response.json();
      expect(body).not.toHaveProperty("error");
      return binding === "JSONRPC" ? body.result : body;
    };
    const send = (text: Json[], more: object = {}): Json =>
      rpc
        ? { message: { kind: "message", messageId: "m", role: "user", parts: text, ...more } }
        : { message: { messageId: "m", role: "ROLE_USER", content: text, ...more } };
    const sent = await old("message/send", "POST", "/v1/message:send", send(rpc ? parts03 : form03));
    const task03 = rpc ? sent : sent.task;
    expect(task03.artifacts[0].parts).toEqual(rpc ? parts03 : form03);
    expect([task03.kind, task03.status.state]).toEqual(
      rpc ? ["task", "input-required"] : [undefined, "TASK_STATE_INPUT_REQUIRED"],
    );
    const task10 = await on.ok("GetTask", { id: task03.id });
    expect(task10.artifacts[0].parts).toEqual(parts10);
    expect(task10.history[0].parts).toEqual(parts10);
    expect(namesIn(task10)).not.toContain("kind");
    const got = await old("tasks/get", "GET", `/v1/tasks/${task03.id as string}`, { id: task03.id });
    expect(got.id).toBe(task03.id);
    const again = send([rpc ? { kind: "text", text: "b" } : { text: "b" }], { taskId: task03.id });
    const events: Json[] = await old("message/stream", "POST", "/v1/message:stream", again);
    const names = events.map((event) => (rpc ? event.kind : Object.keys(event as object)[0]) as string);
    expect(names).toEqual(
      rpc ? ["task", "artifact-update", "status-update"] : ["task", "artifactUpdate", "statusUpdate"],
    );
    expect((rpc ? events[2] : events[2].statusUpdate).final).toBe(true);
    const other = await on.send("x");
    const canceled = await old("tasks/cancel", "POST", `/v1/tasks/${other.id as string}:cancel`, {
      id: other.id,
    });
    expect(canceled.status.state).toBe(rpc ? "canceled" : "TASK_STATE_CANCELLED");
  });

  it("our client gives every message an id of its own (A2A-4.1.4-b)", async () => {
    await using on = await host(
      binding,
      agentOf(async (_ctx, message) => message.messageId),
    );
    const agent = await connect(on.url, { bindings: [binding] });
    const ids = [(await agent.send("x")).text(), (await agent.send("x")).text()];
    await agent.close();
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });
});
