/** One agent behind every adapter, with the same answers. */
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import type { Interceptor } from "../../src/index.js";
import { createServer, type AgentServer, type ServerOptions } from "../../src/server.js";
import { A2AError } from "../../src/errors.js";
import { textOf } from "../../src/versions/pivot.js";
import { agentOf, gate, quiet } from "../server/agents.js";
import { ask as askAny, open as openAny, type Question } from "./ask.js";
import { hosts, user, type Mount } from "./hosts.js";

const bodyBytes = 2_000;
const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one[Symbol.asyncDispose]();
});

const message = (text: string) => ({ messageId: "m", role: "ROLE_USER", parts: [{ text }] });
const call = (method: string, params: unknown) => ({ jsonrpc: "2.0", id: 7, method, params });

describe.each(hosts)("$name", ({ name, framework, start }) => {
  let go = gate();

  /** An agent that repeats what it hears; `wait` waits for `go` after its first word. */
  const serverOf = (options: ServerOptions = {}): AgentServer => {
    go = gate();
    const agent = agentOf(async function* (ctx, heard) {
      yield typeof ctx.principal === "string" ? `${ctx.principal}: ` : "";
      yield textOf(heard);
      if (textOf(heard) === "wait") await go.passed;
    });
    const server = createServer(agent, { logger: quiet, limits: { bodyBytes }, ...options });
    open.push(server);
    return server;
  };
  const run = async (options?: ServerOptions, mount?: Mount) => {
    const running = await start(serverOf(options), mount);
    open.push(running);
    return {
      ask: (path: string, question?: Question) => askAny(name, running.port, path, question),
      open: (path: string, question?: Question) => openAny(name, running.port, path, question),
    };
  };

  it("serves the card with its length, to HEAD too, and says when a copy is still good", async () => {
    const { ask } = await run();
    const card = await ask("/.well-known/agent-card.json");
    expect(card).toMatchObject({ status: 200, json: { name: "Test" } });
    const head = await ask("/.well-known/agent-card.json", { method: "HEAD" });
    expect(head).toMatchObject({ status: 200, text: "" });
    expect(head.headers["content-length"]).toBe(String(Buffer.byteLength(card.text)));
    const etag = String(card.headers["etag"]);
    expect(etag).toMatch(/^"/);
    const fresh = await ask("/.well-known/agent-card.json", { headers: { "if-none-match": etag } });
    expect(fresh).toMatchObject({ status: 304, text: "" });
  });

  it("answers both bindings, and 0.3", async () => {
    const { ask } = await run();
    const rpc = await ask("/", { body: call("SendMessage", { message: message("hi") }) });
    expect(rpc.json).toMatchObject({
      id: 7,
      result: { task: { status: { state: "TASK_STATE_COMPLETED" } } },
    });
    const rest = await ask("/message:send", { body: { message: message("ho") } });
    expect(textOf(rest.json)).toBe("ho");
    const got = await ask(`/tasks/${String(rest.json.task.id)}?historyLength=0`);
    expect(got.json).toMatchObject({ id: rest.json.task.id, artifacts: rest.json.task.artifacts });
    const old = { messageId: "m", role: "user", kind: "message", parts: [{ kind: "text", text: "hi" }] };
    const older = await ask("/", {
      headers: { "a2a-version": "" },
      body: call("message/send", { message: old }),
    });
    expect(older.json).toMatchObject({ result: { kind: "task", status: { state: "completed" } } });
  });

  it("hands ids and tenants over as they were written", async () => {
    const { ask } = await run();
    const missing = await ask("/tasks/a%2Fb%20c");
    expect(missing.status).toBe(404);
    expect(missing.json.error.message).toContain("a/b c");
    const sent = await ask("/acme%20inc/message:send", { body: { message: message("hi") } });
    const id = String(sent.json.task.id);
    expect((await ask(`/acme%20inc/tasks/${id}`)).json.id).toBe(id);
    expect((await ask(`/tasks/${id}`)).status).toBe(404);
  });

  it("streams events as they come, over both bindings", async () => {
    const { open: openStream } = await run();
    for (const [path, body] of [
      ["/", call("SendStreamingMessage", { message: message("wait") })],
      ["/message:stream", { message: message("wait") }],
    ] as const) {
      go = gate();
      const stream = await openStream(path, { body });
      expect(stream.headers["content-type"]).toBe("text/event-stream");
      let text = "";
      for await (const chunk of stream.body.setEncoding("utf8")) {
        text += String(chunk);
        // It is there before the agent goes on.
        if (text.includes('"wait"}]}') && text.includes("artifactUpdate")) go.open();
      }
      expect(text).toContain("TASK_STATE_COMPLETED");
    }
  });

  it("a caller that hangs up is no longer served, and the task goes on", async () => {
    const gone = gate();
    const watch: Interceptor = (next) => (one) => {
      one.signal.addEventListener("abort", () => gone.open());
      return next(one);
    };
    const { ask, open: openStream } = await run({ middleware: [watch] });
    const stream = await openStream("/message:stream", { body: { message: message("wait") } });
    const [first] = await once(stream.body.setEncoding("utf8"), "data");
    const id = /"id":"([^"]+)"/.exec(String(first))?.[1] ?? "";
    stream.close();
    await gone.passed;
    expect((await ask(`/tasks/${id}`)).json.status.state).toBe("TASK_STATE_SUBMITTED");
    const again = await openStream(`/tasks/${id}:subscribe`, { method: "POST" });
    go.open();
    expect(await again.body.setEncoding("utf8").reduce((all, chunk) => all + String(chunk), "")).toContain(
      "TASK_STATE_COMPLETED",
    );
  });

  describe.each(framework ? [false, true] : [false])("where the app parses bodies: %s", (parses) => {
    it("refuses what is no JSON and what is too large in the form of the binding", async () => {
      const { ask } = await run({}, { parses });
      const large = { message: message("x".repeat(bodyBytes)) };
      expect(await ask("/message:send", { body: large })).toMatchObject({
        status: 413,
        json: { error: { code: 413, message: `The request body is larger than ${bodyBytes} bytes` } },
      });
      expect((await ask("/message:send", { body: large, chunked: true })).status).toBe(413);
      expect((await ask("/", { body: call("SendMessage", large) })).json.error.code).toBe(-32600);
      // A hook that parses by itself answers by itself.
      if (parses && name === "Fastify") return;
      const broken = await ask("/", { body: "{" });
      expect(broken.json).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32700 } });
      const rest = await ask("/message:send", { body: "{" });
      expect(rest).toMatchObject({ status: 400, json: { error: { status: "INVALID_ARGUMENT" } } });
    });

    it("reads bodies, of both media types", async () => {
      const { ask } = await run({}, { parses });
      const sent = await ask("/", { body: call("SendMessage", { message: message("ä") }) });
      expect(textOf(sent.json.result)).toBe("ä");
      const other = { headers: { "content-type": "application/a2a+json" }, body: { message: message("ö") } };
      expect(textOf((await ask("/message:send", other)).json)).toBe("ö");
    });
  });

  it("asks auth, which sees the user that the app knows", async () => {
    const { ask } = await run({
      auth: ({ headers, context }) => {
        if (headers["authorization"] === undefined) throw new A2AError("UNAUTHENTICATED", "Who are you?");
        return { principal: context };
      },
    });
    const body = { message: message("hi") };
    const refused = await ask("/message:send", { body });
    expect(refused).toMatchObject({ status: 401, json: { error: { status: "UNAUTHENTICATED" } } });
    expect(refused.headers["www-authenticate"]).toBe("Bearer");
    const sent = await ask("/message:send", { body, headers: { authorization: "Bearer x" } });
    expect(textOf(sent.json)).toBe(`${user}: hi`);
  });

  it("with a base path: calls below it, the card also at the origin", async () => {
    const { ask } = await run({ basePath: "/agents/echo", url: "https://a.example/agents/echo" });
    for (const path of ["/agents/echo", "/agents/echo/"]) {
      const sent = await ask(path, { body: call("SendMessage", { message: message("hi") }) });
      expect(sent.json.result.task.status.state).toBe("TASK_STATE_COMPLETED");
    }
    expect((await ask("/agents/echo/message:send", { body: { message: message("hi") } })).status).toBe(200);
    for (const path of ["/.well-known/agent-card.json", "/agents/echo/.well-known/agent-card.json"]) {
      expect((await ask(path)).json.supportedInterfaces[0].url).toBe("https://a.example/agents/echo");
    }
  });

  it.each(framework ? [{}, { basePath: "/agents/echo" }] : [])(
    "mounted below a prefix, with the options %o",
    async (options) => {
      const { ask } = await run(options, { prefix: "/agents/echo" });
      const sent = await ask("/agents/echo", { body: call("SendMessage", { message: message("hi") }) });
      expect(sent.json.result.task.status.state).toBe("TASK_STATE_COMPLETED");
      const id = String(sent.json.result.task.id);
      expect((await ask(`/agents/echo/tasks/${id}?historyLength=0`)).json.id).toBe(id);
      expect((await ask("/agents/echo/.well-known/agent-card.json")).json.name).toBe("Test");
      expect((await ask("/agents/echo/tasks/a%2Fb")).json.error.message).toContain("a/b");
    },
  );

  it.each(framework ? [{}, { prefix: "/agents/echo" }] : [])(
    "leaves other paths to the app, mounted with %o",
    async (mount) => {
      const { ask } = await run({}, mount);
      expect(await ask("/mine")).toMatchObject({ status: 200, text: "mine" });
      const nowhere = await ask("/agents/echo/not/a/route");
      expect(nowhere.status).toBe(404);
      // The app's own words, whatever they are.
      expect(nowhere.text).not.toContain("No such route");
      // A verb that a route of the agent does not take is the agent's to refuse.
      const wrong = await ask(`${mount.prefix ?? ""}/message:send`, { method: "PUT", body: "{}" });
      expect(wrong).toMatchObject({ status: 405, headers: { allow: "POST" } });
    },
  );
});
