/** The handler: what it answers, and how often it calls. Then with an agent, over sockets. */
import { describe, expect, it } from "vitest";
import { A2AError } from "../../src/errors.js";
import { createWebhookHandler, webhookRegistration, type Notification } from "../../src/webhook.js";
import { userMessage } from "../../src/versions/pivot.js";
import { testKeys } from "../push/keys.js";
import { receiver } from "../push/receiver.js";
import { agentOf, gate, start, turn } from "../server/agents.js";
import { request, update } from "./support.js";

const token = "secret";
const sent = (body: unknown = update(), id?: string) =>
  request(body, {
    "x-a2a-notification-token": token,
    ...(id !== undefined && { "x-a2a-notification-id": id }),
  });

describe("the handler", () => {
  it("answers 204 once the event is processed, not before (A2A-4.3.3-d, A2A-13.2c-f)", async () => {
    const next = gate();
    const called = gate();
    const events: Notification[] = [];
    const handle = createWebhookHandler({ token }, async (notification) => {
      events.push(notification);
      called.open();
      await next.passed;
    });
    let answered = false;
    const answering = handle(sent()).finally(() => (answered = true));
    await called.passed;
    await turn();
    expect([events.length, answered]).toEqual([1, false]);
    next.open();
    const response = await answering;
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(events[0]).toMatchObject({ event: update(), taskId: "t1", version: "1.0" });
  });

  it("processes what comes again once, also at the same time; after a failure again (A2A-4.3.3-e, A2A-13.2c-c)", async () => {
    let calls = 0;
    let looks = 0;
    const next = gate();
    const looked = gate();
    const keys = new Set<string>();
    const seen = {
      add: (key: string) => keys.add(key),
      has(key: string) {
        looks += 1;
        // Each request looks when it is checked, and the first again before it calls.
        if (looks === 3) looked.open();
        return keys.has(key);
      },
    };
    const handle = createWebhookHandler({ token, seen }, async () => {
      calls += 1;
      await next.passed;
      if (calls === 1) throw new Error("down");
    });
    const both = [handle(sent(update(), "d1")), handle(sent(update(), "d1"))];
    await looked.passed;
    await turn();
    next.open();
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([500, 500]);
    expect(calls).toBe(1);
    expect((await handle(sent(update(), "d1"))).status).toBe(204);
    expect((await handle(sent(update(), "d1"))).status).toBe(204);
    expect(calls).toBe(2);
    expect((await handle(sent(update(), "d2"))).status).toBe(204);
    expect(calls).toBe(3);
  });

  it("refuses with the status that fits, and calls nobody (A2A-4.3.3-g, A2A-13.2c-a)", async () => {
    const errors: string[] = [];
    const handle = createWebhookHandler(
      { token, taskIds: (id) => id === "t1", onError: ({ reason }) => errors.push(reason) },
      () => expect.fail("it was called"),
    );
    const statuses = [
      await handle(request(update())),
      await handle(request(update(), { "x-a2a-notification-token": "guess" })),
      await handle(sent(update("t2"))),
      await handle(sent("{")),
      await handle(new Request("https://receiver.example.com/hook")),
    ].map(({ status, headers }) => [status, headers.get("www-authenticate") ?? headers.get("allow")]);
    expect(statuses).toEqual([
      [401, "Bearer"],
      [401, "Bearer"],
      [403, null],
      [400, null],
      [405, "POST"],
    ]);
    expect(errors).toEqual(["UNAUTHENTICATED", "UNAUTHENTICATED", "PERMISSION_DENIED", "INVALID_PARAMS"]);
  });

  it("answers with the status of an A2AError that the listener throws, and says nothing of other errors", async () => {
    const busy = new A2AError("UNAVAILABLE", "Later", { status: 503, headers: { "Retry-After": "7" } });
    const answer = async (thrown: Error) => {
      const response = await createWebhookHandler({ token }, () => Promise.reject(thrown))(sent());
      return [response.status, response.headers.get("retry-after"), await response.text()];
    };
    expect(await answer(busy)).toEqual([503, "7", ""]);
    expect(await answer(new Error("password 1234"))).toEqual([500, null, ""]);
  });

  it("looks at so many in a window, and says when to come again (A2A-13.2c-d)", async () => {
    let now = 1_000;
    const handle = createWebhookHandler(
      { token, rateLimit: { max: 2, windowMs: 10_000 }, now: () => now },
      () => undefined,
    );
    const status = async (id: string) => (await handle(sent(update(), id))).status;
    expect([await status("a"), await status("b")]).toEqual([204, 204]);
    now += 2_500;
    const third = await handle(sent(update(), "c"));
    expect([third.status, third.headers.get("retry-after")]).toEqual([429, "8"]);
    now += 7_500;
    expect(await status("c")).toBe(204);
  });

  it("is not made by options that check nothing", () => {
    expect(() => createWebhookHandler({}, () => undefined)).toThrow("Nothing to verify");
  });
});

describe("an agent and a receiver", () => {
  it("sign and verify; what fails is sent again; GetTask has the whole (A2A-SA-e, A2A-SA-h, A2A-SA-i)", async () => {
    const made = await testKeys();
    await using hooked = await receiver();
    const { client, server } = start(
      agentOf(async (ctx) => {
        ctx.working();
        return "done";
      }),
      {
        push: { allow: ["127.0.0.1"], sign: true, backoffMs: 1 },
        keys: made.options,
        url: "https://agent.example.com",
      },
    );
    await using _server = server;
    const registration = webhookRegistration(hooked.url, { allowHttp: true });
    const events: string[] = [];
    let failures = 1;
    const over = gate<string>();
    const handle = createWebhookHandler(
      {
        token: registration.token,
        jwks: made.jwks,
        issuer: "https://agent.example.com",
        audience: hooked.url,
      },
      ({ event, taskId }) => {
        if (failures-- > 0) throw new Error("down");
        events.push(Object.keys(event).join());
        if (event.statusUpdate?.status.state === "TASK_STATE_COMPLETED") over.open(taskId);
      },
    );
    const statuses: number[] = [];
    hooked.answers = async ({ headers, body }) => {
      const response = await handle(
        new Request(hooked.url, { method: "POST", headers: headers as Record<string, string>, body }),
      );
      statuses.push(response.status);
      return response.status;
    };
    const configuration = { taskPushNotificationConfig: registration, returnImmediately: true };
    await client.sendMessage({ message: userMessage("go"), configuration });
    const task = await client.getTask({ id: await over.passed });
    expect(task.artifacts?.[0]?.parts[0]?.text).toBe("done");
    expect(events).toEqual(["task", "statusUpdate", "artifactUpdate", "statusUpdate"]);
    expect(statuses[0]).toBe(500);
  });
});
