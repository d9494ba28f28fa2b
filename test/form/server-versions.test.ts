import { describe, expect, it } from "vitest";
import { A2A as A2A02 } from "../../generated/v0.2/service.js";
import { A2A as A2A03 } from "../../generated/v0.3/service.js";
import { A2A as A2A10 } from "../../generated/v1.0/service.js";
import { createHttpHandler } from "../../src/http/handler.js";
import { createRouter } from "../../src/server/router.js";
import { defineAgent, serve, type AgentDefinition } from "a2a-typed/server";
import { ask, serveHandle } from "../rpc/support.js";
import { json, message, task } from "./server-support.js";

describe("0.2 over HTTP+JSON", () => {
  it("has the message under its older name too, and the older path of webhooks", async () => {
    const inputs: unknown[] = [];
    const router = createRouter(A2A02, {
      sendMessage(input) {
        inputs.push(input);
        return { kind: "task", id: "t1", contextId: "c1", status: { state: "working" } };
      },
      getTaskPushNotificationConfig(input) {
        inputs.push(input);
        return { taskId: "t1", pushNotificationConfig: { url: "https://hook" } };
      },
    });
    await using server = await serveHandle(router.handle);
    const sent = { messageId: "m1", role: "ROLE_USER", content: [{ text: "hi" }] };
    for (const body of [{ request: sent }, { message: sent }]) {
      const answer = await ask(server, "/v1/message:send", { method: "POST", headers: json, body });
      expect(answer.json).toStrictEqual({
        task: { id: "t1", contextId: "c1", status: { state: "TASK_STATE_WORKING" } },
      });
    }
    const answer = await ask(server, "/v1/tasks/t1/pushNotifications/p1");
    expect(answer.json).toStrictEqual({
      name: "tasks/t1/pushNotificationConfigs/",
      pushNotificationConfig: { url: "https://hook" },
    });
    expect(inputs).toEqual([{ message }, { message }, { id: "t1", pushNotificationConfigId: "p1" }]);
  });
});

describe("a path below /v1 on a server of 1.0 and 0.3", () => {
  const routers = () => [
    createRouter(A2A10, {
      sendMessage: ({ tenant }) => ({
        task: { id: "t1", status: { state: "TASK_STATE_WORKING" }, metadata: { tenant: tenant ?? "none" } },
      }),
    }),
    createRouter(A2A03, { sendMessage: () => ({ ...task, metadata: { version: "0.3" } }) }),
  ];
  const body03 = { message: { messageId: "m1", role: "ROLE_USER", content: [{ text: "hi" }] } };
  const body10 = { message: { messageId: "m1", role: "ROLE_USER", parts: [{ text: "hi" }] } };

  it.each([
    ["no version", {}, body03, { version: "0.3" }],
    ["0.3", { "a2a-version": "0.3" }, body03, { version: "0.3" }],
    ["1.0, which makes v1 a tenant", { "a2a-version": "1.0" }, body10, { tenant: "v1" }],
  ])("is of the version that is asked for: %s", async (_, headers, body, metadata) => {
    await using server = await serveHandle(createHttpHandler({ routers: routers() }));
    const answer = await ask(server, "/v1/message:send", {
      method: "POST",
      headers: { ...json, ...headers },
      body,
    });
    expect(answer.json).toMatchObject({ task: { metadata } });
  });
});

describe("an agent that serves every version", () => {
  it("reads either form of 0.3 over HTTP+JSON, and answers in ProtoJSON", async () => {
    const card: AgentDefinition["card"] = {
      name: "Echo",
      description: "Says it again.",
      skills: [{ id: "echo", name: "Echo", description: "Says it again.", tags: ["demo"] }],
    };
    const seen: unknown[] = [];
    const agent = defineAgent({
      card,
      replies: "message",
      handle(_, { parts, referenceTaskIds }) {
        seen.push({ parts, referenceTaskIds });
        return Promise.resolve("again");
      },
    });
    await using running = await serve(agent, { port: 0 });
    const bodies = [
      { message: { messageId: "m1", role: "ROLE_USER", content: [{ text: "hi" }] } },
      { message: { ...message, referenceTaskIds: ["t0"] } },
    ];
    for (const body of bodies) {
      const answer = await ask(running, "/v1/message:send", { method: "POST", headers: json, body });
      expect(answer.json).toMatchObject({ message: { role: "ROLE_AGENT", content: [{ text: "again" }] } });
    }
    expect(seen).toEqual([
      { parts: [{ text: "hi" }], referenceTaskIds: undefined },
      { parts: [{ text: "hi" }], referenceTaskIds: ["t0"] },
    ]);
  });
});
