/** Streams of several versions on one task: who gets what, and when they end. */
import { afterEach, describe, expect, test } from "vitest";
import * as v03 from "../../../generated/v0.3/index.js";
import * as v10 from "../../../generated/v1.0/index.js";
import { createClient, httpJson, jsonRpc, type Client } from "../../../src/index.js";
import { serve, type RunningServer, type ServeOptions } from "../../../src/server.js";
import { textOf } from "../../../src/versions/pivot.js";
import { eventsOf, raw, rpc } from "../../rpc/support.js";
import { agentOf, gate, quiet } from "../agents.js";

const open: (RunningServer | AsyncDisposable)[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one[Symbol.asyncDispose]();
});

async function start(
  agent: Parameters<typeof serve>[0],
  options: Partial<ServeOptions> = {},
): Promise<{ server: RunningServer; newer: Client<typeof v10.A2A>; older: Client<typeof v03.A2A> }> {
  const server = await serve(agent, { port: 0, logger: quiet, ...options });
  const { url } = server;
  const newer = createClient(v10.A2A, jsonRpc({ url }));
  const older = createClient(v03.A2A, jsonRpc({ url }));
  open.push(server, newer, older);
  return { server, newer, older };
}

async function all<T>(events: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const event of events) list.push(event);
  return list;
}

/** What both generations say of an event. */
const meaning10 = (event: v10.StreamResponse): string =>
  event.task
    ? `task ${event.task.status.state}`
    : event.artifactUpdate
      ? `artifact ${v10.textOf(event)}`
      : `status ${event.statusUpdate?.status.state ?? "?"}`;
const meaning03 = (event: v03.SendStreamingMessageResult): string => {
  const name = (state: string): string => `TASK_STATE_${state.toUpperCase().replace("-", "_")}`;
  if (event.kind === "task") return `task ${name(event.status.state)}`;
  if (event.kind === "artifact-update") return `artifact ${v03.textOf(event.artifact)}`;
  return event.kind === "status-update" ? `status ${name(event.status.state)}` : "message";
};

test("listeners of every version and binding hear the same, those of one version the same text", async () => {
  const go = gate();
  const { server, newer, older } = await start(
    agentOf(async function* () {
      await go.passed;
      yield* ["one ", "two ", "three"];
    }),
  );
  const { url } = server;
  const rest10 = createClient(v10.A2A, httpJson({ url }));
  const rest03 = createClient(v03.A2A, httpJson({ url }));
  open.push(rest10, rest03);
  const began = await newer.sendMessage({
    message: v10.userMessage("x"),
    configuration: { returnImmediately: true },
  });
  const id = began.task?.id ?? "";
  const streams10 = [newer, rest10].map((client) => client.subscribeToTask({ id }));
  const streams03 = [older, older, rest03].map((client) => client.resubscribeToTask({ id }));
  // All have their first event before the agent goes on.
  const firsts10 = await Promise.all(streams10.map(async (stream) => (await stream.next()).value));
  const firsts03 = await Promise.all(streams03.map(async (stream) => (await stream.next()).value));
  go.open();
  const said10 = (await Promise.all(streams10.map(all))).map((events) => events.map(meaning10));
  const said03 = (await Promise.all(streams03.map(all))).map((events) => events.map(meaning03));
  const expected = [
    "artifact one ",
    "artifact two ",
    "artifact three",
    "artifact ",
    "status TASK_STATE_COMPLETED",
  ];
  for (const said of [...said10, ...said03]) expect(said).toEqual(expected);
  const leads = [...firsts10.map((e) => e && meaning10(e)), ...firsts03.map((e) => e && meaning03(e))];
  expect(new Set(leads)).toEqual(new Set(["task TASK_STATE_SUBMITTED"]));
  expect(streams03.map(({ lastEventId }) => lastEventId)).toEqual(["6", "6", "6"]);
});

describe("a task that asks", () => {
  const asking = agentOf(async (ctx, message) =>
    ctx.turn > 1 ? `heard ${textOf(message)}` : ctx.inputRequired("Which?"),
  );

  test("ends a stream of 0.3 with a final event; a subscription of 1.0 goes on", async () => {
    const { newer, older } = await start(asking);
    const events = await all(older.sendStreamingMessage({ message: v03.userMessage("x") }));
    expect(events.at(-1)).toMatchObject({ final: true, status: { state: "input-required" } });
    const [first] = events;
    const id = first?.kind === "task" ? first.id : "";
    const goingOn = newer.subscribeToTask({ id });
    expect((await goingOn.next()).value?.task?.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    const answer = await all(
      older.sendStreamingMessage({ message: v03.userMessage("this", { taskId: id }) }),
    );
    expect(answer.map(meaning03)).toEqual([
      "task TASK_STATE_WORKING",
      "artifact heard this",
      "status TASK_STATE_COMPLETED",
    ]);
    expect((await all(goingOn)).map(meaning10)).toEqual([
      "status TASK_STATE_WORKING",
      "artifact heard this",
      "status TASK_STATE_COMPLETED",
    ]);
  });

  test("ends a resubscription of 0.3 too, on the wire and not only in our client", async () => {
    const go = gate();
    const { server, newer } = await start(
      agentOf(async (ctx) => {
        await go.passed;
        return ctx.inputRequired("Which?");
      }),
    );
    const began = await newer.sendMessage({
      message: v10.userMessage("x"),
      configuration: { returnImmediately: true },
    });
    const params = { id: began.task?.id };
    const older = rpc(server, "tasks/resubscribe", params, { "content-type": "application/json" });
    const other = newer.subscribeToTask({ id: began.task?.id ?? "" });
    expect((await other.next()).value?.task).toBeDefined();
    go.open();
    // The reply ends, although the task does not.
    expect(eventsOf((await older).text).map(({ data }) => data.result)).toMatchObject([
      { kind: "task" },
      { kind: "status-update", final: true, status: { state: "input-required" } },
    ]);
    expect((await other.next()).value?.statusUpdate?.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  });
});

describe("a task that waits for credentials", () => {
  const go = () => gate();
  const waiting = (passed: Promise<void>) =>
    agentOf(async (ctx) => {
      if (ctx.turn > 1) return "done";
      await passed;
      return ctx.authRequired("Sign in");
    });

  test("keeps streams open in both generations", async () => {
    const wait = go();
    const { newer, older } = await start(waiting(wait.passed));
    const stream = older.sendStreamingMessage({ message: v03.userMessage("x") });
    const first = (await stream.next()).value;
    wait.open();
    expect((await stream.next()).value).toMatchObject({ status: { state: "auth-required" }, final: false });
    const id = first?.kind === "task" ? first.id : "";
    await newer.sendMessage({ message: v10.userMessage("signed in", { taskId: id }) });
    expect((await all(stream)).map(meaning03)).toEqual([
      "status TASK_STATE_WORKING",
      "artifact done",
      "status TASK_STATE_COMPLETED",
    ]);
  });

  test("ends streams of 0.3 where the server closes them, and says so", async () => {
    const wait = go();
    const { older } = await start(waiting(wait.passed), { closeAtAuthRequired: true });
    const stream = older.sendStreamingMessage({ message: v03.userMessage("x") });
    const first = (await stream.next()).value;
    const again = older.resubscribeToTask({ id: first?.kind === "task" ? first.id : "" });
    await again.next();
    wait.open();
    for (const events of [await all(stream), await all(again)]) {
      expect(events).toMatchObject([{ status: { state: "auth-required" }, final: true }]);
    }
  });
});

test("a caller of 0.3 that goes away ends its stream and not the task", async () => {
  const [began, go, done] = [gate(), gate(), gate<string>()];
  const { server, newer } = await start(
    agentOf(async (ctx) => {
      ctx.working("on it");
      began.open();
      await go.passed;
      done.open(ctx.taskId);
      return "done";
    }),
  );
  const socket = await raw(server);
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "message/stream",
    params: { message: v03.userMessage("x") },
  });
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${String(body.length)}\r\n\r\n${body}`,
  );
  await began.passed;
  socket.destroy();
  go.open();
  const id = await done.passed;
  const task = await newer.sendMessage({ message: v10.userMessage("again") });
  expect(task.task?.status.state).toBe("TASK_STATE_COMPLETED");
  expect((await newer.getTask({ id })).status.state).toBe("TASK_STATE_COMPLETED");
});

test("events after one that was seen are sent to 0.3 as well", async () => {
  const go = gate();
  const { older } = await start(
    agentOf(async function* () {
      yield "one";
      await go.passed;
      yield "two";
    }),
  );
  const stream = older.sendStreamingMessage({ message: v03.userMessage("x") });
  const first = (await stream.next()).value;
  await stream.next();
  const { lastEventId } = stream;
  await stream.return();
  const rest = older.resubscribeToTask({ id: first?.kind === "task" ? first.id : "" }, { lastEventId });
  go.open();
  expect((await all(rest)).map(meaning03)).toEqual([
    "artifact two",
    "artifact ",
    "status TASK_STATE_COMPLETED",
  ]);
});
