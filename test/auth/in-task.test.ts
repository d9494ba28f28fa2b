/** A task that needs credentials half way: AUTH_REQUIRED, and what goes on from there. */
import { describe, expect, it } from "vitest";
import { serve, type ServeOptions } from "../../src/server.js";
import { textOf as textOfMessage, type Message } from "../../src/versions/pivot.js";
import { quiet } from "../server/agents.js";
import { bindings, callerOf, host, say, short, textOf, type BindingName } from "../rules/support.js";
import { as, tokens, whoami } from "./support.js";

/** Needs a calendar, and takes the key to it in the metadata of a message. */
const calendar = () =>
  whoami(async (ctx, message: Message) => {
    if (ctx.turn === 1)
      return ctx.authRequired("Allow access to your calendar at https://auth.example.com/grant");
    const key = message.metadata?.["calendarKey"];
    if (textOfMessage(message) === "no") return ctx.rejected("Then not.");
    return typeof key === "string" ? `turn ${String(ctx.turn)}, key ${key}` : ctx.authRequired();
  });

const listening = async (binding: BindingName, options: Partial<ServeOptions> = {}) => {
  const server = await serve(calendar(), { port: 0, auth: tokens, logger: quiet, sweepMs: 0, ...options });
  return { server, caller: callerOf(server.url, binding), [Symbol.asyncDispose]: () => server.close() };
};

describe.each(bindings)("over %s", (binding: BindingName) => {
  it("the task waits for authorization and says for which (A2A-7.6.1-a, A2A-7.6.1-b, A2A-7.6.1-c)", async () => {
    await using server = await host(binding, calendar(), { auth: tokens });
    const { task } = await server.ok("SendMessage", say("plan my day"), as("alice"));
    expect(task.status.state).toBe("TASK_STATE_AUTH_REQUIRED");
    expect(textOf(task.status.message)).toContain("https://auth.example.com/grant");
    // Whatever the handler leaves out, the client is told something.
    const again = await server.ok("SendMessage", say("here", { taskId: task.id }), as("alice"));
    expect(again.task.status.state).toBe("TASK_STATE_AUTH_REQUIRED");
    expect(textOf(again.task.status.message)).toBe("This needs an authorization before it can go on.");
  });

  it("an agent that has no tasks cannot ask for it (A2A-7.6.1-a)", async () => {
    await using server = await host(
      binding,
      whoami(async (ctx) => ctx.authRequired("Log in"), { replies: "message" }),
    );
    const { json } = await server.call("SendMessage", say("x"));
    expect(json.error.message).toBe("Internal error");
  });

  it("a message with credentials resumes the handler; the stream that is open sees the rest (A2A-7.6.1-e, A2A-7.6.1-g)", async () => {
    await using server = await host(binding, calendar(), { auth: tokens });
    const stream = await server.stream("SendStreamingMessage", say("plan my day"), as("alice"));
    const first = await stream.next();
    const taskId = first?.event.task.id;
    expect(short((await stream.next()) ?? expect.fail())).toBe("statusUpdate AUTH_REQUIRED");
    const answer = await server.ok(
      "SendMessage",
      say("here", { taskId, metadata: { calendarKey: "k1" } }),
      as("alice"),
    );
    expect(textOf(answer.task.artifacts[0])).toBe("turn 2, key k1");
    expect((await stream.rest()).map(short)).toEqual([
      "statusUpdate WORKING",
      "artifactUpdate turn 2, key k1",
      "statusUpdate COMPLETED",
    ]);
  });

  it("a client may refuse, and the agent reacts (A2A-7.6.1-g)", async () => {
    await using server = await host(binding, calendar(), { auth: tokens });
    const { task } = await server.ok("SendMessage", say("plan my day"), as("alice"));
    const no = await server.ok("SendMessage", say("no", { taskId: task.id }), as("alice"));
    expect(no.task.status.state).toBe("TASK_STATE_REJECTED");
  });

  it("credentials that come another way let the task go on without a message (A2A-7.6.1-d, A2A-7.6.1-f)", async () => {
    await using run = await listening(binding);
    const stream = await run.caller.stream("SendStreamingMessage", say("plan my day"), as("alice"));
    const first = await stream.next();
    const id: string = first?.event.task.id;
    await stream.next();
    const subscribed = await run.caller.stream("SubscribeToTask", { id }, as("alice"));
    expect(short((await subscribed.next()) ?? expect.fail())).toBe("task AUTH_REQUIRED");
    // As the page does where the user allowed it.
    const effects = await run.server.task(id, { scope: { tenant: "", owner: "alice" } });
    effects.working("Thank you.");
    effects.artifact("your day");
    effects.completed();
    const rest = ["statusUpdate WORKING", "artifactUpdate your day", "statusUpdate COMPLETED"];
    expect((await stream.rest()).map(short)).toEqual(rest);
    expect((await subscribed.rest()).map(short)).toEqual(rest);
  });

  it("the state authorizes nothing: each message is checked as if there were none (A2A-7.6.4-a)", async () => {
    const seen: unknown[] = [];
    await using server = await host(
      binding,
      whoami(async (ctx) => {
        seen.push([...(ctx.granted?.schemes.get("token") ?? [])]);
        return ctx.authRequired();
      }),
      { auth: tokens, ownerOf: () => "team" },
    );
    const { task } = await server.ok("SendMessage", say("x"), as("alice"));
    const follow = say("more", { taskId: task.id });
    expect((await server.call("SendMessage", follow)).status).toBe(401);
    expect((await server.call("CancelTask", { id: task.id })).status).toBe(401);
    await server.ok("SendMessage", follow, as("bob"));
    // What alice may is not what bob may, in the same task.
    expect(seen).toEqual([["read", "write"], ["read"]]);
  });
});
