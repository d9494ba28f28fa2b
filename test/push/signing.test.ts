/** Deliveries that are signed, filtered, and registrations that are looked at by the operator. */
import { decodeProtectedHeader, jwtVerify, createLocalJWKSet } from "jose";
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isA2AError } from "../../src/errors.js";
import { createServer, type PushOptions } from "../../src/server.js";
import {
  userMessage,
  type StreamResponse,
  type TaskPushNotificationConfig,
} from "../../src/versions/pivot.js";
import { agentOf, quiet, start } from "../server/agents.js";
import { testKeys } from "./keys.js";
import { receiver, type Received } from "./receiver.js";

const allow = ["127.0.0.1"];
const echo = agentOf(async (ctx) => {
  ctx.working();
  return "done";
});

/** What a webhook gets of one task. */
async function deliveries(
  push: PushOptions,
  count: number,
  config: Partial<TaskPushNotificationConfig> = {},
  agent = echo,
) {
  const made = await testKeys();
  const hooked = await receiver();
  const url = "https://agent.example.com";
  const { client, server } = start(agent, { push: { allow, ...push }, keys: made.options, url });
  const configuration = { taskPushNotificationConfig: { url: hooked.url, ...config } };
  const { task } = await client.sendMessage({ message: userMessage("go"), configuration });
  await hooked.arrived(count);
  await server.close();
  await hooked[Symbol.asyncDispose]();
  return {
    requests: hooked.requests,
    bodies: hooked.bodies as StreamResponse[],
    task,
    url: hooked.url,
    ...made,
  };
}

const bearer = ({ headers }: Received): string => headers.authorization?.replace(/^Bearer /, "") ?? "";

describe("a signed delivery", () => {
  test("has a JWT for the webhook with its time, task, number and body (A2A-SA-i)", async () => {
    const { requests, jwks, task, url } = await deliveries({ sign: true }, 4);
    expect(requests).toHaveLength(4);
    const ids = new Set<unknown>();
    for (const request of requests) {
      const jwt = bearer(request);
      expect(decodeProtectedHeader(jwt)).toMatchObject({ alg: "ES256", kid: "k1" });
      const { payload } = await jwtVerify(jwt, createLocalJWKSet(jwks), {
        issuer: "https://agent.example.com",
        audience: url,
        maxTokenAge: 60,
      });
      expect(payload).toEqual({
        iss: "https://agent.example.com",
        aud: url,
        iat: expect.any(Number),
        exp: (payload.iat ?? 0) + 300,
        jti: request.headers["x-a2a-notification-id"],
        taskId: task?.id,
        request_body_sha256: createHash("sha256").update(request.body).digest("hex"),
      });
      ids.add(payload.jti);
    }
    expect(ids.size).toBe(4);
  });

  test("has it in a header of its own beside other credentials (A2A-4.3.3-c, A2A-SA-g)", async () => {
    const authentication = { scheme: "Basic", credentials: "eA==" };
    const { requests, jwks } = await deliveries({ sign: true }, 1, { authentication, token: "t" });
    expect(requests[0]?.headers).toMatchObject({
      authorization: "Basic eA==",
      "x-a2a-notification-token": "t",
    });
    const jwt = String(requests[0]?.headers["x-a2a-notification-jwt"]);
    expect((await jwtVerify(jwt, createLocalJWKSet(jwks))).payload.jti).toBeTruthy();
  });

  test("says what the options say, never another body", async () => {
    const sign = {
      issuer: "me",
      audience: (url: string) => new URL(url).origin,
      ttlSeconds: 10,
      claims: { env: "test", request_body_sha256: "made up", taskId: "made up" },
    };
    const { requests, jwks, task, url } = await deliveries({ sign }, 1);
    const { payload } = await jwtVerify(
      bearer(requests[0] ?? expect.fail("nothing came")),
      createLocalJWKSet(jwks),
    );
    expect(payload).toMatchObject({ iss: "me", aud: new URL(url).origin, env: "test", taskId: task?.id });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(10);
    expect(payload["request_body_sha256"]).toBe(
      createHash("sha256")
        .update(requests[0]?.body ?? "")
        .digest("hex"),
    );
  });

  test("has the same name at each try, and a new time", async () => {
    const made = await testKeys();
    await using hooked = await receiver(503, 200);
    const { client, server } = start(echo, {
      push: { allow, sign: true, backoffMs: 1 },
      keys: made.options,
    });
    await using _server = server;
    const configuration = { taskPushNotificationConfig: { url: hooked.url } };
    await client.sendMessage({ message: userMessage("go"), configuration });
    await hooked.arrived(3);
    const ids = hooked.requests.map(({ headers }) => headers["x-a2a-notification-id"]);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  test("needs keys: a server without them is not made", () => {
    for (const sign of [true, {}, { issuer: "me" }]) {
      expect(() => createServer(echo, { push: { sign }, logger: quiet })).toThrow(
        "push.sign needs the option keys",
      );
    }
  });
});

describe("events", () => {
  const asking = agentOf(async (ctx) => {
    ctx.working();
    ctx.artifact("one");
    return ctx.inputRequired("Which?");
  });
  const states = (bodies: readonly StreamResponse[]) =>
    bodies.map(({ task, statusUpdate }) => (task ?? statusUpdate)?.status.state ?? "artifact");

  test("that are significant: the end, a question, credentials (A2A-SA-d)", async () => {
    expect(states((await deliveries({ events: "significant" }, 1)).bodies)).toEqual(["TASK_STATE_COMPLETED"]);
    expect(states((await deliveries({ events: "significant" }, 1, {}, asking)).bodies)).toEqual([
      "TASK_STATE_INPUT_REQUIRED",
    ]);
    const login = agentOf(async (ctx) => ctx.authRequired("Log in"));
    expect(states((await deliveries({ events: "significant" }, 1, {}, login)).bodies)).toEqual([
      "TASK_STATE_AUTH_REQUIRED",
    ]);
    const all = ["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "artifact", "TASK_STATE_COMPLETED"];
    expect(states((await deliveries({ events: "all" }, 4)).bodies)).toEqual(all);
  });

  test("that a function takes, told the task as the event left it", async () => {
    const seen: string[] = [];
    const { bodies } = await deliveries(
      {
        events: (event, task) => {
          seen.push(
            `${Object.keys(event).join()} ${String(task.artifacts?.length ?? 0)} ${task.status.state}`,
          );
          return event.artifactUpdate !== undefined;
        },
      },
      1,
      {},
      asking,
    );
    expect(states(bodies)).toEqual(["artifact"]);
    expect(seen).toEqual([
      "task 0 TASK_STATE_SUBMITTED",
      "statusUpdate 0 TASK_STATE_WORKING",
      "artifactUpdate 1 TASK_STATE_WORKING",
      "statusUpdate 1 TASK_STATE_INPUT_REQUIRED",
    ]);
  });

  test("of a filter that fails are sent, and the failure is told", async () => {
    const errors: string[] = [];
    await using hooked = await receiver();
    const { client, server } = start(echo, {
      push: {
        allow,
        events: () => {
          throw new Error("broken");
        },
      },
      logger: { ...quiet, error: (line: string) => errors.push(line) },
    });
    await using _server = server;
    const configuration = { taskPushNotificationConfig: { url: hooked.url } };
    await client.sendMessage({ message: userMessage("go"), configuration });
    await hooked.arrived(4);
    expect(errors[0]).toContain("filter of webhook events failed");
  });

  test("of a name that means nothing are refused", () => {
    const push = { events: "some" } as unknown as PushOptions;
    expect(() => createServer(echo, { push, logger: quiet })).toThrow("push.events");
  });
});

test("a registration is looked at by a function of the operator, after the guard (A2A-SA-f)", async () => {
  const asked: string[] = [];
  const { client } = start(echo, {
    push: {
      requireHttps: true,
      validate: async ({ url }) => {
        asked.push(url);
        await Promise.resolve();
        return new URL(url).hostname.endsWith(".example.com") ? undefined : "must be one of ours";
      },
    },
  });
  const outcome = async (url: string): Promise<string> => {
    const configuration = { taskPushNotificationConfig: { url } };
    try {
      await client.sendMessage({ message: userMessage("go"), configuration });
    } catch (error) {
      return isA2AError(error, "INVALID_PARAMS") ? (error.violations?.[0]?.description ?? "") : String(error);
    }
    return "taken";
  };
  expect(await outcome("https://hooks.example.com/")).toBe("taken");
  expect(await outcome("https://hooks.example.org/")).toBe("must be one of ours");
  expect(await outcome("https://127.0.0.1/")).toContain("public address");
  expect(await outcome("http://hooks.example.com/")).toContain("https");
  expect(asked).toEqual(["https://hooks.example.com/", "https://hooks.example.org/"]);
});

test("https can be demanded of webhooks (A2A-13.2c-g)", async () => {
  const { client } = start(echo, { push: { requireHttps: true } });
  const send = (url: string) =>
    client.sendMessage({
      message: userMessage("go"),
      configuration: { taskPushNotificationConfig: { url } },
    });
  await expect(send("http://hooks.example.com/")).rejects.toMatchObject({ reason: "INVALID_PARAMS" });
  expect((await send("https://hooks.example.com/")).task).toBeDefined();
});

test("a token is rotated by registering anew: the next event has the new one (A2A-13.2c-h)", async () => {
  await using hooked = await receiver();
  const { client, server } = start(
    agentOf(async (ctx) => (ctx.turn === 1 ? ctx.inputRequired("?") : "done")),
    { push: { allow } },
  );
  await using _server = server;
  const configuration = { taskPushNotificationConfig: { id: "x", url: hooked.url, token: "old" } };
  const { task } = await client.sendMessage({ message: userMessage("go"), configuration });
  await hooked.arrived(2);
  const taskId = task?.id ?? "";
  await client.createTaskPushNotificationConfig({ taskId, id: "x", url: hooked.url, token: "new" });
  await client.sendMessage({ message: userMessage("more", { taskId }) });
  await hooked.arrived(5);
  expect(hooked.requests.map(({ headers }) => headers["x-a2a-notification-token"])).toEqual([
    "old",
    "old",
    "new",
    "new",
    "new",
  ]);
});
