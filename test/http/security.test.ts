/** Security considerations of chapters 13.4 and 14.1 that a library has a part in. */
import { createServer as createHttp } from "node:http";
import { once } from "node:events";
import { DEFAULT_MIN_VERSION } from "node:tls";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { bearer } from "../../src/auth.js";
import { memoryStore, type Logger } from "../../src/server.js";
import { ask } from "../rpc/support.js";
import { bindings, host, reasonOf, say, textOf, type Host } from "../rules/support.js";
import { agentOf } from "../server/agents.js";

const echo = agentOf((_, { parts }) => Promise.resolve(parts[0]?.text ?? "nothing"));
const as = (token: string) => ({ authorization: `Bearer ${token}` });

/** A logger that keeps everything, at whatever level. */
const keeping = (): { logger: Logger; text: () => string } => {
  const lines: unknown[][] = [];
  const keep = (...line: unknown[]): void => void lines.push(line);
  return {
    logger: { debug: keep, info: keep, warn: keep, error: keep },
    text: () => inspect(lines, { depth: 20, maxStringLength: null }),
  };
};

const raw = (at: Host, headers: Record<string, string>, body: string) =>
  ask({ port: Number(new URL(at.url).port) }, at.binding === "JSONRPC" ? "/" : "/message:send", {
    method: "POST",
    headers: { "a2a-version": "1.0", "content-type": "application/json", ...headers },
    body,
  });

describe.each(bindings)("security over %s", (binding) => {
  it("logs no credential, token or content of a message, whatever goes wrong (A2A-13.4-h, A2A-13.4-o, A2A-13.4-v)", async () => {
    const { logger, text } = keeping();
    const known = "known-secret-token";
    const agent = agentOf((ctx, message) => {
      ctx.log.info("the agent works", ctx.taskId);
      if (textOf(message).includes("fail")) throw new Error("database gone");
      return Promise.resolve("ok");
    });
    const auth = {
      schemes: { bearer: bearer((token) => (token === known ? { principal: "ann" } : undefined)) },
    };
    await using at = await host(binding, agent, { auth, logger, push: true });
    await at.call("SendMessage", say("fail, private-words"), as(known));
    await raw(at, as("guessed-secret"), "{}");
    await raw(at, as(known), '{"broken private-words');
    await raw(at, { ...as(known), "x-api-key": "secret-key" }, '{"message":{"role":"private-words"}}');
    const task = (await at.ok("SendMessage", say("private-words"), as(known))).task;
    const config = {
      taskId: task.id,
      url: "https://127.0.0.1/hook",
      token: "secret-hook-token",
      authentication: { scheme: "Bearer", credentials: "secret-hook-credentials" },
    };
    await at.call("CreateTaskPushNotificationConfig", config, as(known));
    expect(text()).toMatch(/database gone/);
    expect(text()).not.toMatch(/known-secret|guessed-secret|secret-key|secret-hook|private-words/);
  });

  it("tells no internals of a failure (A2A-13.4-h)", async () => {
    const agent = agentOf(() => Promise.reject(new Error("password=hunter2 at /srv/agent/db.ts:12")));
    await using at = await host(binding, agent, { logger: keeping().logger });
    const { json } = await at.call("SendMessage", say("hi"));
    expect(JSON.stringify(json)).not.toMatch(/hunter2|db\.ts|Error:/);
  });

  it("takes new credentials and drops revoked ones while it runs (A2A-13.4-i, A2A-13.4-j)", async () => {
    const valid = new Set(["old"]);
    const auth = {
      schemes: { bearer: bearer((token) => (valid.has(token) ? { principal: "ann" } : undefined)) },
    };
    await using at = await host(binding, echo, { auth });
    const { task } = await at.ok("SendMessage", say("hi"), as("old"));
    valid.add("new");
    await at.ok("GetTask", { id: task.id }, as("old"));
    valid.delete("old");
    expect((await raw(at, as("old"), "{}")).status).toBe(401);
    // The tasks are those of the caller, not of the token.
    await at.ok("GetTask", { id: task.id }, as("new"));
  });

  it("refuses a file of a media type that the card does not take (A2A-13.4-g)", async () => {
    const agent = agentOf(() => Promise.resolve("ok"), {
      card: { defaultInputModes: ["text/plain", "image/*"] } as never,
    });
    await using at = await host(binding, agent);
    const file = (mediaType: string) => say("", { parts: [{ raw: "AAAA", mediaType, filename: "x" }] });
    expect(reasonOf(await at.call("SendMessage", file("application/x-msdownload")))).toBe(
      "CONTENT_TYPE_NOT_SUPPORTED",
    );
    await at.ok("SendMessage", file("image/png"));
  });

  it("deletes a task with its history where its owner wants it gone (A2A-13.4-t)", async () => {
    const store = memoryStore();
    await using at = await host(binding, echo, { store });
    const { id } = await at.send("forget me");
    expect(await store.delete({ tenant: "", owner: "" }, id)).toBe(true);
    expect(reasonOf(await at.call("GetTask", { id }))).toBe("TASK_NOT_FOUND");
    expect((await at.ok("ListTasks", {})).totalSize).toBe(0);
  });

  it("forgets finished tasks after the time that the store is told (A2A-13.4-u)", async () => {
    let now = Date.now();
    const store = memoryStore({ ttl: 1_000, now: () => now });
    await using at = await host(binding, echo, { store, now: () => now });
    const { id } = await at.send("hi");
    now += 999;
    await store.sweep(now, 100);
    await at.ok("GetTask", { id });
    now += 2;
    await store.sweep(now, 100);
    expect(reasonOf(await at.call("GetTask", { id }))).toBe("TASK_NOT_FOUND");
  });

  it("keeps what a user writes inside its JSON: no header, event or markup comes of it (A2A-14.1-c)", async () => {
    const evil = 'a\r\nSet-Cookie: x=1\r\n\r\ndata: {"forged":1}\n\n<script>alert(1)</script>\u2028\u0000"}';
    await using at = await host(binding, echo);
    const unary = await at.call("SendMessage", say(evil, { contextId: "c\r\nSet-Cookie: y=1" }));
    expect(unary.headers.get("set-cookie")).toBeNull();
    expect(unary.headers.get("content-type")).toMatch(/^application\/(a2a\+)?json$/);
    expect(unary.headers.get("x-content-type-options")).toBe("nosniff");
    expect(textOf(unary.result.task.artifacts[0])).toBe(evil);
    const stream = await at.stream("SendStreamingMessage", say(evil));
    const frames = await stream.rest();
    expect(
      frames
        .filter(({ event }) => event.artifactUpdate)
        .map(({ event }) => textOf(event.artifactUpdate.artifact)),
    ).toEqual([evil]);
    expect(frames.some(({ data }) => "forged" in data)).toBe(false);
    const refused = await at.call("GetTask", { id: evil }, { "a2a-extensions": "https://x\u00ff" });
    expect(refused.headers.get("set-cookie")).toBeNull();
  });

  it("never fetches what a message refers to (A2A-14.1-d)", async () => {
    const hits: string[] = [];
    const target = createHttp((request, response) => {
      hits.push(request.url ?? "");
      response.end();
    }).listen(0, "127.0.0.1");
    await once(target, "listening");
    const { port } = target.address() as { port: number };
    await using at = await host(binding, echo, { checkInputModes: false });
    const url = `http://127.0.0.1:${String(port)}/metadata`;
    const { task } = await at.ok(
      "SendMessage",
      say("", { parts: [{ text: "x" }, { url, mediaType: "text/plain" }] }),
    );
    expect(task.history[0].parts[1].url).toBe(url);
    // The same for the guarded way out: a webhook to this address is refused.
    await using pushing = await host(binding, echo, { push: true });
    const done = await pushing.send("hi");
    const config = { taskId: done.id, url };
    expect(reasonOf(await pushing.call("CreateTaskPushNotificationConfig", config))).toBe("INVALID_PARAMS");
    expect(hits).toEqual([]);
    target.close();
  });

  it("shows history and artifacts to nobody else, whatever is called (A2A-14.1-e)", async () => {
    const auth = { schemes: { bearer: bearer((token) => ({ principal: token })) } };
    const waits = agentOf((ctx) => Promise.resolve(ctx.inputRequired("more?")));
    await using at = await host(binding, waits, { auth });
    const { task } = await at.ok("SendMessage", say("private"), as("ann"));
    for (const [name, input] of [
      ["GetTask", { id: task.id }],
      ["CancelTask", { id: task.id }],
      ["SubscribeToTask", { id: task.id }],
      ["SendMessage", say("x", { taskId: task.id })],
    ] as const) {
      expect(reasonOf(await at.call(name, input, as("eve")))).toBe("TASK_NOT_FOUND");
    }
    expect(await at.ok("ListTasks", {}, as("eve"))).toMatchObject({ tasks: [], totalSize: 0 });
    expect(await at.ok("ListTasks", { contextId: task.contextId }, as("eve"))).toMatchObject({ tasks: [] });
    expect((await at.ok("GetTask", { id: task.id }, as("ann"))).history).toHaveLength(1);
  });

  it("checks every input against its table before anything is stored (A2A-14.1-b)", async () => {
    await using at = await host(binding, echo);
    for (const message of [
      { role: "ROLE_NONE" },
      { parts: "x" },
      { parts: [{}] },
      { messageId: 5 },
      { parts: [{ text: "a", url: "b" }] },
    ]) {
      expect(reasonOf(await at.call("SendMessage", say("hi", message)))).toBe("INVALID_PARAMS");
    }
    expect((await at.ok("ListTasks", {})).totalSize).toBe(0);
  });
});

it("answers as application/a2a+json without parameters, in UTF-8, and takes a charset (A2A-14.1-a)", async () => {
  await using at = await host("HTTP+JSON", echo);
  const body = JSON.stringify(say("Grüße 🌍"));
  const type = "application/a2a+json; charset=utf-8";
  const reply = await raw(at, { "content-type": type }, body);
  expect(reply.status).toBe(200);
  expect(reply.headers["content-type"]).toBe("application/a2a+json");
  expect(reply.json.task.artifacts[0].parts[0].text).toBe("Grüße 🌍");
});

it("serves TLS through Node, which takes nothing below 1.2 unless it is told to (A2A-13.4-b, A2A-13.4-d)", () => {
  expect(["TLSv1.2", "TLSv1.3"]).toContain(DEFAULT_MIN_VERSION);
});
