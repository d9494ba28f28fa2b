/** What a server refuses because it is too much: the right status, in the form of the binding and of the version. */
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { isA2AError } from "../../src/index.js";
import { createServer } from "../../src/server.js";
import { ask, raw, drain } from "../rpc/support.js";
import { bindings, host, say, type Host } from "../rules/support.js";
import { agentOf, gate, quiet } from "../server/agents.js";

const echo = agentOf((_, { parts }) => Promise.resolve(parts[0]?.text ?? "nothing"));
const open: Host[] = [];
const start = async (...args: Parameters<typeof host>): Promise<Host> => {
  const served = await host(...args);
  open.push(served);
  return served;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

/** A request in whatever version to where a binding takes SendMessage. */
const post = (at: Host, query = "", headers: Record<string, string> = {}, body: unknown = "{}") => {
  const path = (at.binding === "JSONRPC" ? "/" : "/message:send") + query;
  const sent = { "a2a-version": "1.0", "content-type": "application/json", ...headers };
  return ask({ port: Number(new URL(at.url).port) }, path, { method: "POST", headers: sent, body });
};

const form = (at: Host, code: number, status: number, name: string) =>
  at.binding === "JSONRPC"
    ? { jsonrpc: "2.0", id: null, error: { code } }
    : { error: { code: status, status: name } };

describe.each(bindings)("limits over %s", (binding) => {
  it("refuses a long target, a long query and many parameters before anything else (A2A-13.4-f)", async () => {
    const at = await start(binding, echo, {
      limits: { urlLength: 400, queryLength: 200, queryParameters: 3 },
    });
    for (const [query, status] of [
      [`?x=${"a".repeat(400)}`, 414],
      [`?x=${"a".repeat(200)}`, 414],
      ["?a=1&b=2&c=3&d=4", 400],
    ] as const) {
      const refused = await post(at, query);
      expect(refused.json).toMatchObject(form(at, -32600, status, "INVALID_ARGUMENT"));
      expect(refused.status).toBe(binding === "JSONRPC" && status === 400 ? 200 : status);
    }
    expect((await post(at, "?a=1&b=2&c=3", {}, say("hi"))).json.error?.message ?? "").not.toMatch(/query/);
  });

  it("refuses many header fields with 431, and Node what it cannot take (A2A-13.4-f)", async () => {
    const at = await start(binding, echo, { limits: { headerCount: 20 } });
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`x-${String(i)}`, "1"]));
    const refused = await post(at, "", many);
    expect(refused.status).toBe(431);
    expect(refused.json).toMatchObject(form(at, -32600, 431, "INVALID_ARGUMENT"));
    const socket = await raw({ port: Number(new URL(at.url).port) });
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nX-Long: ${"a".repeat(20_000)}\r\n\r\n`);
    const text = await drain(socket);
    expect(text).toMatch(/^HTTP\/1.1 431 /);
    expect(text).toMatch(/x-content-type-options: nosniff/i);
    expect(JSON.parse(text.slice(text.indexOf("{")))).toMatchObject({ error: { code: 431 } });
  });

  it("tells an early refusal in the form of the version that the header names (A2A-13.4-f)", async () => {
    const at = await start(binding, echo, { limits: { urlLength: 100 } });
    const refused = await post(at, `?x=${"a".repeat(100)}`, { "a2a-version": "0.3" });
    expect(refused.status).toBe(414);
    expect(refused.json).toMatchObject(
      binding === "JSONRPC" ? { id: null, error: { code: -32600 } } : { code: -32600 },
    );
  });

  it("refuses a body above the limit with 413, declared or not (A2A-13.4-f)", async () => {
    const at = await start(binding, echo, { limits: { bodyBytes: 1000 } });
    const refused = await post(at, "", {}, JSON.stringify(say("a".repeat(1000))));
    expect(refused.status).toBe(413);
    expect(refused.json).toMatchObject(form(at, -32600, 413, "RESOURCE_EXHAUSTED"));
    const socket = await raw({ port: Number(new URL(at.url).port) });
    const path = binding === "JSONRPC" ? "/" : "/message:send";
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nA2A-Version: 1.0\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    socket.write(`7d0\r\n${"a".repeat(2000)}\r\n`);
    const [first] = (await once(socket, "data")) as [Buffer];
    socket.destroy();
    expect(first.toString()).toMatch(/^HTTP\/1.1 413 /);
  });

  it("refuses JSON of more than 100 levels, typed or free (A2A-13.4-f)", async () => {
    const at = await start(binding, echo);
    const nest = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
    const sendText = (member: string) => {
      const input = `{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"x"}],${member}}}`;
      const rpc = `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":${input}}`;
      return post(at, "", {}, binding === "JSONRPC" ? rpc : input);
    };
    for (const member of [`"metadata":{"x":${nest(120)}}`, `"parts":[{"data":${nest(100_000)}}]`]) {
      const refused = await sendText(member);
      expect(refused.json.error).toMatchObject(
        binding === "JSONRPC" ? { code: -32602 } : { code: 400, status: "INVALID_ARGUMENT" },
      );
      expect(refused.json.error.message).toMatch(/levels/);
    }
    // What is not a member of a message is dropped unread.
    for (const member of [`"metadata":{"x":${nest(90)}}`, `"unknown":${nest(100_000)}`])
      expect((await sendText(member)).json).not.toHaveProperty("error");
  });

  it("refuses too many parts and long ids, by field (A2A-13.4-f)", async () => {
    const at = await start(binding, echo, { limits: { parts: 3, idLength: 40 } });
    const part = { text: "x" };
    for (const [message, field] of [
      [{ parts: [part, part, part, part] }, "message.parts"],
      [{ messageId: "m".repeat(41) }, "message.messageId"],
      [{ contextId: "c".repeat(41) }, "message.contextId"],
      [{ taskId: "t".repeat(41) }, "message.taskId"],
    ] as const) {
      const { json } = await at.call("SendMessage", say("hi", message));
      const details = json.error.data ?? json.error.details;
      expect(details[0].fieldViolations[0].field).toBe(field);
    }
    await at.ok("SendMessage", say("hi", { parts: [part, part, part], contextId: "c".repeat(40) }));
    const long = await at.call("GetTask", { id: "t".repeat(5000) });
    expect(JSON.stringify(long.json).length).toBeLessThan(1500);
  });

  it("takes so many further messages for one task, then asks for a new one (A2A-13.4-f)", async () => {
    const asks = agentOf((ctx) => Promise.resolve(ctx.inputRequired("more?")));
    const at = await start(binding, asks, { limits: { messagesPerTask: 2 } });
    const { id: taskId } = await at.send("one");
    await at.send("two", { taskId });
    await at.send("three", { taskId });
    const refused = await at.call("SendMessage", say("four", { taskId }));
    expect(refused.status).toBe(429);
    expect(refused.json.error.message).toMatch(/has taken 2 messages/);
  });

  it("shows no more of a history than the server's own limit, whatever is asked for (A2A-13.4-f)", async () => {
    const asks = agentOf((ctx) => Promise.resolve(ctx.inputRequired("more?")));
    const at = await start(binding, asks, { limits: { historyLength: 2 } });
    const { id } = await at.send("one");
    const seen = await at.send("two", { taskId: id }, { historyLength: 50 });
    expect(seen.history).toHaveLength(2);
    expect((await at.ok("GetTask", { id })).history).toHaveLength(2);
    expect((await at.ok("GetTask", { id, historyLength: 1 })).history).toHaveLength(1);
    expect((await at.ok("ListTasks", {})).tasks[0].history).toHaveLength(2);
  });

  it("runs so many handlers for one owner and refuses more with 429 and Retry-After (A2A-13.4-f, A2A-13.4-q)", async () => {
    const finish = gate();
    const slow = agentOf(async () => {
      await finish.passed;
      return "done";
    });
    const auth = ({ headers }: { headers: Record<string, string | undefined> }) => ({
      principal: headers["x-user"] ?? "nobody",
    });
    const at = await start(binding, slow, { auth, limits: { runningTasks: 2 } });
    const ann = { "x-user": "ann" };
    const now = { configuration: { returnImmediately: true } };
    await at.ok("SendMessage", { ...say("1"), ...now }, ann);
    const { task } = await at.ok("SendMessage", { ...say("2"), ...now }, ann);
    const refused = await at.call("SendMessage", { ...say("3"), ...now }, ann);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(refused.json.error).toMatchObject(
      binding === "JSONRPC" ? { code: -32000 } : { code: 429, status: "RESOURCE_EXHAUSTED" },
    );
    // Another owner has room of its own, and reading is not working.
    await at.ok("SendMessage", { ...say("1"), ...now }, { "x-user": "bob" });
    await at.ok("GetTask", { id: task.id }, ann);
    finish.open();
    const stream = await at.stream("SubscribeToTask", { id: task.id }, ann);
    if (stream.refused === undefined) await stream.rest();
    await at.ok("SendMessage", say("4"), ann);
  });

  it("fails a task whose handler takes too long, and aborts the handler (A2A-13.4-f)", async () => {
    const reasons: unknown[] = [];
    const stuck = agentOf(
      (ctx) =>
        new Promise((resolve) => {
          ctx.signal.addEventListener("abort", () => {
            reasons.push(ctx.signal.reason);
            resolve("too late");
          });
        }),
    );
    const at = await start(binding, stuck, { limits: { handlerMs: 20 } });
    const task = await at.send("hi");
    expect(task.status).toMatchObject({
      state: "TASK_STATE_FAILED",
      message: { parts: [{ text: "The agent took too long." }] },
    });
    expect(task).not.toHaveProperty("artifacts");
    expect(isA2AError(reasons[0], "TIMEOUT")).toBe(true);
  });

  it("answers UNAVAILABLE where a handler without a task takes too long (A2A-13.4-f)", async () => {
    const stuck = agentOf(() => new Promise(() => undefined), { replies: "message" });
    const at = await start(binding, stuck, { limits: { handlerMs: 20 } });
    const refused = await at.call("SendMessage", say("hi"));
    expect(refused.json.error).toMatchObject({ message: "The agent took too long; try again later" });
    expect(refused.json.error.code).toBe(binding === "JSONRPC" ? -32603 : 503);
  });

  it("serves so many requests at once, streams included, and refuses more with 503 (A2A-13.4-f)", async () => {
    const finish = gate();
    const slow = agentOf(async () => {
      await finish.passed;
      return "done";
    });
    const at = await start(binding, slow, { limits: { concurrentRequests: 1 }, health: true });
    const stream = await at.stream("SendStreamingMessage", say("hi"));
    const refused = await post(at, "", {}, "{}");
    expect(refused.status).toBe(503);
    expect(refused.headers["retry-after"]).toBe("1");
    expect(refused.json).toMatchObject(form(at, -32603, 503, "UNAVAILABLE"));
    // A busy server lives.
    expect((await fetch(`${at.url}/readyz`)).status).toBe(200);
    finish.open();
    await stream.rest();
    await at.ok("ListTasks", {});
    await at.ok("ListTasks", {});
  });
});

it("refuses limits that do not exist or are no numbers", () => {
  const make = (limits: object) => () => createServer(echo, { logger: quiet, limits });
  expect(make({ bodyByte: 5 })).toThrow(/there is no limit bodyByte/);
  expect(make({ parts: -1 })).toThrow(/limits: parts/);
  expect(make({ parts: "many" })).toThrow(/limits: parts/);
  expect(make({ parts: 5 })).not.toThrow();
});
