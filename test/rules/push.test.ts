/** The third way to hear of a task: webhooks, whose requests look the same whatever binding they were made over. */
import { describe, expect, it } from "vitest";
import { agentOf, gate } from "../server/agents.js";
import { receiver } from "../push/receiver.js";
import { bindings, callerOf, host, say, type Json } from "./support.js";

const push = { allow: ["127.0.0.1"] };

describe.each(bindings)("over %s", (binding) => {
  it("a task that goes on in the background is heard of by poll, stream and webhook (A2A-3.3.3-a, A2A-3.5.1-b, A2A-3.5.1-c, A2A-3.5.3-a)", async () => {
    await using hooked = await receiver();
    const go = gate();
    const agent = agentOf(async (ctx) => {
      await go.passed;
      ctx.working("on it");
      return "done";
    });
    await using on = await host(binding, agent, { push });
    const taskPushNotificationConfig = { url: hooked.url };
    const { task } = await on.ok("SendMessage", {
      ...say("x"),
      configuration: { returnImmediately: true, taskPushNotificationConfig },
    });
    const stream = await on.stream("SubscribeToTask", { id: task.id });
    const first = await stream.next();
    go.open();
    const heard = (await stream.rest()).map(({ event }): Json => event);
    await hooked.arrived(1 + heard.length);
    for (const request of hooked.requests) {
      expect(request.method).toBe("POST");
      expect(request.headers["content-type"]).toBe("application/a2a+json");
    }
    // No envelope of JSON-RPC: the events themselves, each once.
    expect(hooked.bodies.slice(1)).toEqual(heard);
    expect((hooked.bodies[0] as Json).task.id).toBe(first?.event.task.id);
    const polled = await on.ok("GetTask", { id: task.id });
    expect(polled.status).toEqual(heard.at(-1).statusUpdate.status);
  });

  it("and what was made over one binding is read over the other (A2A-3.5.1-c)", async () => {
    await using on = await host(
      binding,
      agentOf(async (ctx) => ctx.inputRequired("?")),
      { push },
    );
    const { id: taskId } = await on.send("x");
    const url = "https://example.com/hook";
    const made = await on.ok("CreateTaskPushNotificationConfig", { taskId, id: "c", url });
    for (const other of bindings) {
      const read = await callerOf(on.url, other).ok("GetTaskPushNotificationConfig", { taskId, id: "c" });
      expect(read).toEqual(made);
    }
  });
});
