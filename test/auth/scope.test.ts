/** What is not the caller's does not exist: the same answer as for an id that never was, in every operation and version. */
import { describe, expect, it } from "vitest";
import { bindings, host, say, type BindingName, type Host, type Json } from "../rules/support.js";
import { bearer } from "a2a-typed/auth";
import { serve } from "../../src/server.js";
import { quiet } from "../server/agents.js";
import { as, legacy, legacyCalls, people, tokens, whoami } from "./support.js";

const NEVER = "00000000-0000-7000-8000-000000000000";
const HOOK = { id: "c", url: "https://hook.example.com/x" };

/** Operations on a task, with what makes each of them work for its owner. */
const onTask = (id: string): readonly (readonly [name: string, input: object])[] => [
  ["GetTask", { id }],
  ["SendMessage", say("more", { taskId: id, messageId: "m" })],
  ["SendStreamingMessage", say("more", { taskId: id, messageId: "m" })],
  ["SubscribeToTask", { id }],
  ["CreateTaskPushNotificationConfig", { taskId: id, ...HOOK }],
  ["GetTaskPushNotificationConfig", { taskId: id, id: "c" }],
  ["ListTaskPushNotificationConfigs", { taskId: id }],
  ["DeleteTaskPushNotificationConfig", { taskId: id, id: "c" }],
  ["CancelTask", { id }],
];

const paused = () => whoami(async (ctx) => ctx.inputRequired("what else?"));
const opened = async (
  server: Host,
  headers: Record<string, string>,
  message = {},
  more = {},
): Promise<Json> => (await server.ok("SendMessage", { ...say("x", message), ...more }, headers)).task;

/** An answer without what differs by the id that was asked for. */
const shape = ({ status, json }: { status: number; json: Json }, id: string): unknown => ({
  status,
  text: JSON.stringify(json).replaceAll(id, "ID"),
});

describe.each(bindings)("over %s", (binding: BindingName) => {
  it("another owner's task is as if it had never been (A2A-3.3.2-g, A2A-3.3.2-k, A2A-13.1-d, A2A-13.1-e)", async () => {
    await using server = await host(binding, paused(), { auth: tokens, push: true });
    const { id } = await opened(server, as("alice"));
    await server.ok("CreateTaskPushNotificationConfig", { taskId: id, ...HOOK }, as("alice"));
    const never = onTask(NEVER);
    for (const [index, [name, input]] of onTask(id).entries()) {
      const foreign = await server.call(name, input, as("bob"));
      const absent = await server.call(name, never[index]?.[1], as("bob"));
      expect([name, shape(foreign, id)]).toEqual([name, shape(absent, NEVER)]);
      expect(JSON.stringify(foreign.json)).toContain("TASK_NOT_FOUND");
    }
    // Nothing of it was done to the task, and its owner may do it.
    const [configs] = (await server.ok("ListTaskPushNotificationConfigs", { taskId: id }, as("alice")))
      .configs;
    expect(configs.id).toBe("c");
    expect(await server.ok("GetTask", { id }, as("alice"))).toMatchObject({
      status: { state: "TASK_STATE_INPUT_REQUIRED" },
      history: [{ parts: [{ text: "x" }] }],
    });
  });

  // JSON-RPC has one verb.
  it.each(binding === "HTTP+JSON" ? ["GET"] : [])("the same for SubscribeToTask by %s", async (method) => {
    await using server = await host(binding, paused(), { auth: tokens });
    const { id } = await opened(server, as("alice"));
    const get = async (task: string) => {
      const headers = { "a2a-version": "1.0", ...as("bob") };
      const response = await fetch(`${server.url}/tasks/${task}:subscribe`, { method, headers });
      return shape({ status: response.status, json: await response.json() }, task);
    };
    expect(await get(id)).toEqual(await get(NEVER));
    expect(await get(id)).toMatchObject({ status: 404 });
  });

  it("the same for callers of 0.3", async () => {
    await using server = await host(binding, paused(), { auth: tokens, push: true });
    const { id } = await opened(server, as("alice"));
    await server.ok("CreateTaskPushNotificationConfig", { taskId: id, ...HOOK }, as("alice"));
    for (const name of Object.keys(legacyCalls(id))) {
      const foreign = await legacy(server.url, binding, name, id, as("bob"));
      const absent = await legacy(server.url, binding, name, NEVER, as("bob"));
      expect([name, shape(foreign, id)]).toEqual([name, shape(absent, NEVER)]);
      expect((foreign.json.error ?? foreign.json).code).toBe(-32001);
    }
    expect((await legacy(server.url, binding, "get", id, as("alice"))).json).not.toHaveProperty("error");
  });

  it("lists hold what is the caller's, filtered or not, and count nothing else (A2A-13.1-a)", async () => {
    await using server = await host(binding, paused(), { auth: tokens });
    const mine = await opened(server, as("bob"));
    const theirs = await opened(server, as("alice"));
    await opened(server, as("alice"));
    for (const filter of [{}, { status: "TASK_STATE_INPUT_REQUIRED" }, { pageSize: 1 }]) {
      const { tasks, totalSize, nextPageToken } = await server.ok("ListTasks", filter, as("bob"));
      expect(tasks.map((task: Json) => task.id)).toEqual([mine.id]);
      expect([totalSize, nextPageToken]).toEqual([1, ""]);
    }
    const inTheirs = await server.ok("ListTasks", { contextId: theirs.contextId }, as("bob"));
    expect(inTheirs).toMatchObject({ tasks: [], totalSize: 0 });
  });

  it("a context id of another owner is a new context of one's own", async () => {
    await using server = await host(
      binding,
      whoami(async (ctx, message) => {
        const known = await ctx.references();
        return `${String(known.length)} of ${String(message.referenceTaskIds?.length)}`;
      }),
      { auth: tokens },
    );
    const theirs = await opened(server, as("alice"));
    const { contextId } = theirs;
    const mine = await opened(server, as("bob"), { contextId, referenceTaskIds: [theirs.id] });
    expect(mine.contextId).toBe(contextId);
    expect(mine.artifacts[0].parts[0].text).toBe("0 of 1");
    const seen = await server.ok("ListTasks", { contextId }, as("bob"));
    expect(seen.tasks.map((task: Json) => task.id)).toEqual([mine.id]);
    expect((await server.ok("ListTasks", { contextId }, as("alice"))).totalSize).toBe(1);
  });

  it("a tenant is a scope of its own, and one that is not the caller's is refused, known or not", async () => {
    const identity = { principal: "carol", tenants: ["red", "blue"] };
    await using server = await host(binding, paused(), {
      auth: { schemes: { token: bearer({ ...people, "token-carol": identity }) } },
    });
    const { id } = await opened(server, as("carol"), {}, { tenant: "red" });
    await opened(server, as("alice"), {}, { tenant: "green" });
    expect((await server.ok("GetTask", { id, tenant: "red" }, as("carol"))).id).toBe(id);
    const elsewhere = await server.call("GetTask", { id, tenant: "blue" }, as("carol"));
    const never = await server.call("GetTask", { id: NEVER, tenant: "blue" }, as("carol"));
    expect(shape(elsewhere, id)).toEqual(shape(never, NEVER));
    const refused = async (tenant: string): Promise<unknown> => {
      const { status, json } = await server.call("ListTasks", { tenant }, as("carol"));
      return { status, text: JSON.stringify(json).replaceAll(tenant, "T") };
    };
    expect(await refused("green")).toEqual(await refused("nosuch"));
    expect(await refused("green")).toMatchObject({ status: 403 });
    expect((await server.ok("ListTasks", { tenant: "blue" }, as("carol"))).totalSize).toBe(0);
  });

  it("ownerOf decides what is shared: here a project (A2A-13.1-c)", async () => {
    await using server = await host(binding, paused(), {
      auth: tokens,
      ownerOf: () => "project",
    });
    const { id } = await opened(server, as("alice"));
    expect((await server.ok("GetTask", { id }, as("bob"))).id).toBe(id);
  });

  it("an extended card knows its caller, with what was granted", async () => {
    await using server = await host(binding, whoami(), {
      auth: tokens,
      extendedCard: ({ context }) => ({
        name: String(context.principal),
        description: [...(context.granted?.schemes ?? [])].join(" "),
        version: "1",
        capabilities: {},
        supportedInterfaces: [],
        defaultInputModes: [],
        defaultOutputModes: [],
        skills: [],
      }),
    });
    expect((await server.call("GetExtendedAgentCard")).status).toBe(401);
    expect(await server.ok("GetExtendedAgentCard", {}, as("bob"))).toMatchObject({
      name: "bob",
      description: "token,read",
    });
  });
});

it("server.task works within the scope that it is told", async () => {
  await using server = await serve(paused(), { port: 0, auth: tokens, logger: quiet });
  const response = await fetch(`${server.url}/message:send`, {
    method: "POST",
    headers: { "a2a-version": "1.0", "content-type": "application/json", ...as("alice") },
    body: JSON.stringify(say("x")),
  });
  const { id } = (await response.json()).task;
  const of = (owner: string) => server.task(id, { scope: { tenant: "", owner } });
  await expect(of("bob")).rejects.toThrow(String(id));
  await expect(server.task(id)).rejects.toThrow(String(id));
  (await of("alice")).completed();
  expect((await of("alice")).task.status.state).toBe("TASK_STATE_COMPLETED");
});
