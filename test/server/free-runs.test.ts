/** Runs without a task: when their answer goes out, and what becomes of them at shutdown. */
import { expect, test } from "vitest";
import type { Ctx } from "../../src/server.js";
import { textOf, userMessage } from "../../src/versions/pivot.js";
import { agentOf, gate, start, quiet } from "./agents.js";

test.each(["auto", "message"] as const)("%s: an answer goes out when it is given", async (replies) => {
  const cleaned = gate();
  const { client } = start(
    agentOf(
      async (ctx) => {
        ctx.message("said");
        await cleaned.passed;
      },
      { replies, autoDelayMs: 1 },
    ),
  );
  expect(textOf(await client.sendMessage({ message: userMessage("hi") }))).toBe("said");
  const events: string[] = [];
  for await (const event of client.sendStreamingMessage({ message: userMessage("hi") })) {
    events.push(...Object.keys(event));
  }
  expect(events).toEqual(["message"]);
  cleaned.open();
  expect((await client.listTasks()).totalSize).toBe(0);
});

test.each(["auto", "message"] as const)("%s: no run and no caller outlives the server", async (replies) => {
  const began = gate<Ctx>();
  const { client, server } = start(
    agentOf(
      (ctx) => {
        began.open(ctx);
        return new Promise(() => undefined);
      },
      { replies, autoDelayMs: 60_000 },
    ),
  );
  const refused = expect(client.sendMessage({ message: userMessage("hi") })).rejects.toThrow("shutting down");
  const ctx = await began.passed;
  const { signal } = ctx;
  await server.close({ deadlineMs: 0 });
  await refused;
  expect(signal.aborted).toBe(true);
  expect(() => {
    ctx.working();
  }).toThrow("nothing may follow");
});

test.each(["auto", "message"] as const)("%s: a failure is logged once and not told", async (replies) => {
  const logged: string[] = [];
  const logger = { ...quiet, error: (message: string) => void logged.push(message) };
  const { server } = start(
    agentOf(() => Promise.reject(new Error("secret")), { replies }),
    { logger },
  );
  const reply = await server.fetch(
    new Request("http://agent.example.com/message:send", {
      method: "POST",
      headers: { "content-type": "application/json", "a2a-version": "1.0" },
      body: JSON.stringify({ message: userMessage("hi") }),
    }),
  );
  expect(reply.status).toBe(500);
  expect(await reply.text()).not.toContain("secret");
  expect(logged).toEqual(["a2a: SendMessage failed"]);
});

test.each(["memory", "sqlite::memory:"])(
  "auto: the stream of a task that ends at once has all of it (%s)",
  async (store) => {
    const { client } = start(
      agentOf(async (ctx) => ctx.failed("no"), { replies: "auto" }),
      { idempotency: true, store },
    );
    // What the first call loads is there at once in the second.
    for (const messageId of ["1", "2"]) {
      const states: unknown[] = [];
      const message = { ...userMessage("hi"), messageId };
      for await (const { task, statusUpdate } of client.sendStreamingMessage({ message })) {
        states.push((task ?? statusUpdate)?.status.state);
      }
      expect(states).toEqual(["TASK_STATE_SUBMITTED", "TASK_STATE_FAILED"]);
    }
  },
);
