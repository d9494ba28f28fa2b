/** A call passes the checks of every binding, in their order, and its message is not read before its caller is known. */
import { connect as connectHttp2 } from "node:http2";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { A2AError } from "../../src/errors.js";
import { serve, type AgentServer, type ServeOptions } from "../../src/server.js";
import { apiKey, bearer } from "../../src/auth.js";
import { agentOf, quiet } from "../server/agents.js";
import { said } from "../bindings/peer.js";
import { peer, V1 } from "./peer.js";

const EXTENSION = "https://example.com/extensions/needed";

async function running(options: Partial<ServeOptions> = {}, handle?: Parameters<typeof agentOf>[0]) {
  const agent = agentOf(
    handle ??
      ((ctx) => Promise.resolve(JSON.stringify([ctx.principal, ctx.tenant, ctx.extensions, ctx.metadata]))),
    {
      card: {
        name: "T",
        description: "d",
        capabilities: { extensions: [{ uri: EXTENSION, description: "d", required: true }] },
      } as never,
    },
  );
  const server = await serve(agent, { port: 0, logger: quiet, grpc: { port: 0 }, ...options });
  const caller = await peer(server.grpc?.address ?? "");
  return {
    server,
    caller,
    async [Symbol.asyncDispose]() {
      caller.close();
      await server.close({ deadlineMs: 0 });
    },
  };
}

const WITH = { ...V1, "a2a-extensions": EXTENSION };
const textOf = (result: { task: { artifacts: { parts: { text: string }[] }[] } }): unknown =>
  JSON.parse(result.task.artifacts[0]?.parts[0]?.text ?? "null");

describe("checks", () => {
  it("come in the order of every binding: version, authentication, message, extension (A2A-13.4-e, A2A-10.2-c)", async () => {
    await using it = await running({
      auth: ({ headers }) => {
        if (headers["authorization"] === "Bearer t") return { principal: "alice" };
        throw new A2AError("UNAUTHENTICATED", "Who are you?", { code: -32000 });
      },
    });
    const { caller } = it;
    const bad = Buffer.from([0xff]);
    const named = { authorization: "Bearer t" };
    const codes = [
      (await caller.raw("SendMessage", bad, { "a2a-version": "9.9" })).code,
      (await caller.raw("SendMessage", bad, V1)).code,
      (await caller.raw("SendMessage", bad, { ...V1, ...named })).code,
      (await caller.unary("SendMessage", said("go"), { ...V1, ...named })).code,
      (await caller.unary("SendMessage", said("go"), { ...WITH, ...named })).code,
    ];
    expect(codes).toEqual([9, 16, 3, 9, 0]);
  });

  it("see metadata as headers; the handler knows principal, tenant, extensions (A2A-3.2.6-b, A2A-10.2-a, A2A-10.2-b, A2A-4.6.1-b)", async () => {
    await using it = await running({
      auth: {
        schemes: {
          key: apiKey({
            in: "header",
            name: "X-Key",
            verify: (key) => (key === "k" ? { principal: "bob" } : undefined),
          }),
        },
      } as never,
    });
    const headers = { ...V1, "x-key": "k", "a2a-extensions": `https://example.com/other, ${EXTENSION}` };
    const seen = await it.caller.unary(
      "SendMessage",
      { ...said("go"), tenant: "acme", metadata: { a: 1 } },
      headers,
    );
    expect(textOf(seen.result)).toEqual(["bob", "acme", [EXTENSION], { a: 1 }]);
    expect(seen.headers.get("a2a-extensions")).toEqual([EXTENSION]);
    const wrong = await it.caller.unary("SendMessage", said("go"), { ...headers, "x-key": "no" });
    expect([wrong.code, wrong.trailers.get("www-authenticate").length]).toEqual([16, 1]);
  });

  it("say in the initial metadata which extensions are active, on streams and refusals too (A2A-EXT-c)", async () => {
    await using it = await running();
    const seen = await it.caller.stream("SendStreamingMessage", said("go"), WITH);
    expect([seen.code, seen.headers.get("a2a-extensions")]).toEqual([0, [EXTENSION]]);
    const refused = await it.caller.unary("GetTask", { id: "nobody" }, WITH);
    expect([refused.code, refused.trailers.get("a2a-extensions")]).toEqual([5, [EXTENSION]]);
  });

  it("do not wait for the message of a caller who is not known (A2A-13.4-e)", async () => {
    await using it = await running({
      auth: { schemes: { token: bearer(() => undefined) } } as never,
    });
    const session = connectHttp2(`http://${it.server.grpc?.address ?? ""}`);
    const stream = session.request({
      ":method": "POST",
      ":path": "/lf.a2a.v1.A2AService/SendMessage",
      "content-type": "application/grpc",
      te: "trailers",
      authorization: "Bearer wrong",
    });
    // No byte of a message is ever sent.
    const [headers] = (await once(stream, "response")) as [Record<string, unknown>];
    expect(headers["grpc-status"]).toBe("16");
    session.destroy();
  });

  it("refuse a caller who comes too often with RESOURCE_EXHAUSTED and when to come again", async () => {
    let calls = 0;
    await using it = await running({ rateLimit: () => (++calls > 1 ? { retryAfterMs: 5000 } : undefined) });
    expect((await it.caller.unary("GetTask", { id: "x" }, V1)).code).toBe(9);
    const { code, trailers } = await it.caller.unary("GetTask", { id: "x" }, V1);
    expect([code, trailers.get("retry-after")]).toEqual([8, ["5"]]);
  });

  it("refuse a message above the limit of bodies, and too many headers", async () => {
    await using it = await running({ limits: { bodyBytes: 2000, headerCount: 20 } });
    const large = await it.caller.unary("SendMessage", said("x".repeat(3000)), WITH);
    expect(large.code).toBe(8);
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`x-${String(i)}`, "1"]));
    const seen = await it.caller.unary("GetTask", { id: "x" }, many);
    expect([seen.code, seen.text]).toEqual([3, "The request has more than 20 header fields"]);
  });

  it("count calls of all bindings together, and free what a call took however it ends", async () => {
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    await using it = await running({ limits: { concurrentRequests: 1 } }, async () => {
      await gate;
      return "done";
    });
    const waiting = it.caller.open("SendStreamingMessage", said("go"), WITH);
    waiting.on("error", () => undefined);
    await once(waiting, "metadata");
    const busy = await it.caller.unary("GetTask", { id: "x" }, WITH);
    expect([busy.code, busy.trailers.get("retry-after")]).toEqual([14, ["1"]]);
    const overHttp = await fetch(`${it.server.url}/tasks/x`, { headers: WITH });
    expect(overHttp.status).toBe(503);
    waiting.resume();
    go();
    await once(waiting, "end");
    expect((await it.caller.unary("GetTask", { id: "x" }, WITH)).code).toBe(5);
    expect((await it.caller.unary("GetTask", { id: "x" }, WITH)).code).toBe(5);
  });

  it("are told to the audit, with the peer and without a credential", async () => {
    const audit: unknown[] = [];
    await using it = await running({ audit: (entry) => void audit.push(entry) });
    await it.caller.unary("SendMessage", said("go"), WITH);
    await it.caller.unary("GetTask", { id: "x" }, { ...WITH, authorization: "Bearer secret" });
    await it.caller.unary("GetTask", { id: "x" }, { "a2a-version": "9.9" });
    const peerAddress = "127.0.0.1";
    expect(audit).toEqual([
      { method: "SendMessage", principal: undefined, peer: peerAddress, outcome: "ok" },
      { method: "GetTask", principal: undefined, peer: peerAddress, outcome: "TASK_NOT_FOUND" },
      { method: undefined, principal: undefined, peer: peerAddress, outcome: "VERSION_NOT_SUPPORTED" },
    ]);
  });
});

it("nothing of a request's own metadata reaches the prototype of anything", async () => {
  await using it = await running();
  const { code } = await it.caller.unary("GetTask", { id: "x" }, { ...WITH, __proto__: "x" });
  expect(code).toBe(5);
  const server: AgentServer = it.server;
  expect(server.card.name).toBe("T");
});
