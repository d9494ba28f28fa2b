/** Webhooks of a server, from the registration to the request: real sockets, nothing in between. */
import { describe, expect, test } from "vitest";
import { isA2AError } from "../../src/errors.js";
import { createServer, memoryStore, pushDelivery, type AgentServer } from "../../src/server.js";
import {
  userMessage,
  type StreamResponse,
  type TaskPushNotificationConfig,
} from "../../src/versions/pivot.js";
import { agentOf, gate, quiet, start } from "../server/agents.js";
import { receiver } from "./receiver.js";

const allow = ["127.0.0.1"];
const inline = (url: string, more: Partial<TaskPushNotificationConfig> = {}) => ({
  taskPushNotificationConfig: { url, ...more },
});
const states = (bodies: readonly unknown[]): (string | undefined)[] =>
  (bodies as StreamResponse[]).map(
    ({ task, statusUpdate, artifactUpdate }) =>
      (task ?? statusUpdate)?.status.state ?? artifactUpdate?.artifact.parts[0]?.text,
  );

const post = (server: AgentServer, path: string, version: string, body: object): Promise<Response> =>
  server.fetch(
    new Request(`http://localhost${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "a2a-version": version },
      body: JSON.stringify(body),
    }),
  );

/** A message with a webhook, as JSON-RPC of 0.x has it. */
const rpc = (server: AgentServer, version: string, pushNotificationConfig: object): Promise<Response> => {
  const message = { kind: "message", messageId: "m", role: "user", parts: [{ kind: "text", text: "go" }] };
  const params = { message, configuration: { acceptedOutputModes: [], pushNotificationConfig } };
  return post(server, "/", version, { jsonrpc: "2.0", id: 1, method: "message/send", params });
};

/** The same, as HTTP+JSON of 0.3 has it. */
const rest = (server: AgentServer, version: string, pushNotification: object): Promise<Response> => {
  const message = { messageId: "m", role: "ROLE_USER", content: [{ text: "go" }] };
  return post(server, "/v1/message:send", version, { message, configuration: { pushNotification } });
};

describe("a webhook gets", () => {
  test("every event of its task as a StreamResponse, in order (A2A-4.3.3-b, A2A-3.5.1-c, A2A-3.1.7-e)", async () => {
    await using hooked = await receiver();
    const agent = agentOf(async function* (ctx) {
      ctx.working();
      yield "a";
      yield "b";
    });
    const { client, server } = start(agent, { push: { allow } });
    await using _server = server;
    const authentication = { scheme: "Bearer", credentials: "c" };
    const { task } = await client.sendMessage({
      message: userMessage("go"),
      configuration: inline(hooked.url, { token: "t", authentication }),
    });
    await hooked.arrived(6);
    expect(states(hooked.bodies)).toEqual([
      "TASK_STATE_SUBMITTED",
      "TASK_STATE_WORKING",
      "a",
      "b",
      "",
      "TASK_STATE_COMPLETED",
    ]);
    for (const body of hooked.bodies as StreamResponse[]) {
      expect(Object.keys(body)).toHaveLength(1);
      expect((body.task?.id ?? body.statusUpdate?.taskId ?? body.artifactUpdate?.taskId) === task?.id).toBe(
        true,
      );
    }
    expect(hooked.requests[0]?.headers).toMatchObject({
      "content-type": "application/a2a+json",
      authorization: "Bearer c",
      "x-a2a-notification-token": "t",
    });
  });

  test("what other webhooks of the task get (A2A-4.3.3-h)", async () => {
    await using one = await receiver();
    await using two = await receiver(404);
    const next = gate();
    const agent = agentOf(async (ctx) => {
      ctx.working();
      await next.passed;
      return "done";
    });
    const { client, server } = start(agent, { push: { allow } });
    await using _server = server;
    const configuration = { ...inline(one.url), returnImmediately: true };
    const { task } = await client.sendMessage({ message: userMessage("go"), configuration });
    await client.createTaskPushNotificationConfig({ taskId: task?.id ?? "", url: two.url });
    next.open();
    await one.arrived(4);
    await two.arrived(2);
    expect(states(one.bodies).at(-1)).toBe("TASK_STATE_COMPLETED");
    expect(states(two.bodies)).toEqual(["done", "TASK_STATE_COMPLETED"]);
  });

  test("what a server before left in the store", async () => {
    await using hooked = await receiver();
    const store = memoryStore();
    const idle = { start: () => ({ [Symbol.asyncDispose]: () => Promise.resolve() }) };
    const agent = agentOf(async () => "done");
    const before = start(agent, { push: idle, store });
    await before.client.sendMessage({ message: userMessage("go"), configuration: inline(hooked.url) });
    await before.server.close();
    await using _server = start(agent, { push: { allow }, store }).server;
    await hooked.arrived(3);
    expect(states(hooked.bodies)).toEqual(["TASK_STATE_SUBMITTED", "done", "TASK_STATE_COMPLETED"]);
  });

  test.each([
    ["0.3 over JSON-RPC", "0.3", rpc],
    ["0.2 over JSON-RPC", "0.2", rpc],
    ["0.3 over HTTP+JSON", "0.3", rest],
  ])("the bare task, if it was registered in %s", async (_, version, send) => {
    await using hooked = await receiver();
    const agent = agentOf(async (ctx) => {
      ctx.artifact("one");
      ctx.working();
      return "two";
    });
    const { server } = start(agent, { push: { allow } });
    await using _server = server;
    const response = await send(server, version, {
      url: hooked.url,
      token: "tok",
      authentication: { schemes: ["Bearer"], credentials: "cred" },
    });
    expect(response.status, await response.text()).toBe(200);
    await hooked.arrived(3);
    const part = (text: string) => ({ parts: [{ kind: "text", text }] });
    expect(hooked.bodies).toMatchObject([
      { kind: "task", status: { state: "submitted" }, history: [{ kind: "message", role: "user" }] },
      { kind: "task", status: { state: "working" }, artifacts: [part("one")] },
      { kind: "task", status: { state: "completed" }, artifacts: [part("one"), part("two")] },
    ]);
    for (const { headers } of hooked.requests) {
      expect(headers).toMatchObject({
        "content-type": "application/json",
        "a2a-version": version,
        "x-a2a-notification-token": "tok",
        authorization: "Bearer cred",
      });
    }
  });

  test("nothing once it was deleted (A2A-3.1.10-c)", async () => {
    await using hooked = await receiver();
    await using other = await receiver();
    const next = gate();
    const agent = agentOf(async () => {
      await next.passed;
      return "done";
    });
    const { client, server } = start(agent, { push: { allow } });
    await using _server = server;
    const configuration = { ...inline(hooked.url, { id: "x" }), returnImmediately: true };
    const { task } = await client.sendMessage({ message: userMessage("go"), configuration });
    const taskId = task?.id ?? "";
    await hooked.arrived(1);
    await client.createTaskPushNotificationConfig({ taskId, url: other.url });
    await client.deleteTaskPushNotificationConfig({ taskId, id: "x" });
    next.open();
    await other.arrived(2);
    expect(hooked.requests).toHaveLength(1);
  });
});

describe("a registration is refused", () => {
  const { client } = start(
    agentOf(async () => "x"),
    { push: true },
  );
  const refused = async (config: Partial<TaskPushNotificationConfig>) => {
    const full = { url: "https://example.com/", ...config };
    const fieldOf = (call: Promise<unknown>) =>
      call.then(
        () => "taken",
        (error: unknown) =>
          isA2AError(error, "INVALID_PARAMS")
            ? error.violations?.map(({ field }) => field).join()
            : String(error),
      );
    const { task } = await client.sendMessage({ message: userMessage("x") });
    return [
      await fieldOf(client.createTaskPushNotificationConfig({ taskId: task?.id ?? "", ...full })),
      await fieldOf(
        client.sendMessage({
          message: userMessage("x"),
          configuration: { taskPushNotificationConfig: full },
        }),
      ),
    ];
  };
  const at = (field: string) => [field, `configuration.taskPushNotificationConfig.${field}`];

  test.each([
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://[::1]:8080/",
    "http://169.254.169.254/latest/meta-data",
    "https://localhost/",
    "ftp://example.com/",
    "https://user:pw@example.com/",
    "https://example.com:22/",
  ])("for its URL: %s (A2A-13.2-e, A2A-SA-f)", async (url) => {
    expect(await refused({ url })).toEqual(at("url"));
  });

  test("for what would break out of a header", async () => {
    expect(await refused({ token: "a\r\nX-Evil: 1" })).toEqual(at("token"));
    expect(await refused({ token: "\u{1f600}" })).toEqual(at("token"));
    const scheme = "Bearer";
    expect(await refused({ authentication: { scheme, credentials: "abc\r\nX-Evil: 1" } })).toEqual(
      at("authentication.credentials"),
    );
    expect(await refused({ authentication: { scheme, credentials: "a\u0000" } })).toEqual(
      at("authentication.credentials"),
    );
    expect(await refused({ authentication: { scheme: "Bearer x", credentials: "a" } })).toEqual(
      at("authentication.scheme"),
    );
  });

  test("not for a name, wherever it may lead: that is looked at when there is something to send", async () => {
    expect(await refused({ url: "https://tck.invalid/hook", token: "t~é" })).toEqual(["taken", "taken"]);
  });
});

describe("options", () => {
  const agent = agentOf(async () => "x");
  const cardOf = (server: AgentServer) => server.card.capabilities.pushNotifications;
  const make = (push: NonNullable<Parameters<typeof createServer>[1]>["push"]) =>
    createServer(agent, { push: push ?? false, logger: quiet });

  test("delivery sets the capability, unless the card says no", () => {
    expect(cardOf(make(true))).toBe(true);
    expect(cardOf(make({ allow }))).toBe(true);
    expect(cardOf(make(pushDelivery({ allow })))).toBe(true);
    expect(cardOf(make(false))).toBeUndefined();
    const without = agentOf(async () => "x", {
      card: { ...agent.card, capabilities: { pushNotifications: false } },
    });
    expect(cardOf(createServer(without, { push: true }))).toBe(false);
  });

  test("that do not exist or cannot work are refused when the server is made", () => {
    const problem = (push: object): string => {
      try {
        createServer(agent, { push });
      } catch (error) {
        if (isA2AError(error, "CONFIG")) return error.message;
        throw error;
      }
      return "none";
    };
    expect(problem({ alow: [] })).toContain("no push option alow");
    expect(problem({ allow: ["10/8"] })).toContain('"10/8"');
    expect(problem({ concurrency: 0 })).toContain("push.concurrency");
    expect(problem({ timeoutMs: Number.NaN })).toContain("push.timeoutMs");
    expect(problem({ attempts: 0 })).toContain("push.attempts");
    expect(problem({ tokenHeader: "a b" })).toContain("push.tokenHeader");
    expect(problem({ attempts: 1, pollMs: 0, closeMs: 0, backoffMs: 0 })).toBe("none");
  });
});
