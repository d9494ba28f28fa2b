import { once } from "node:events";
import { createServer } from "node:http";
import { connect, createServer as createH2c, type ClientHttp2Session } from "node:http2";
import { createServer as createHttps, request as httpsRequest } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { A2A } from "../../generated/v1.0/index.js";
import { createFetchHandler } from "../../src/fetch.js";
import { createNodeHandler, listen } from "../../src/node.js";
import { createRouter } from "../../src/server/router.js";
import { authority, hasOpenssl } from "../certificates.js";
import { ask, deferred, eventsOf, rpc, send, task, v1 } from "./support.js";

const cleaned = { promise: Promise.resolve(), resolve: (): void => undefined };
const router = createRouter(
  A2A,
  {
    getTask: ({ id }, ctx) => ({
      ...task(id),
      metadata: { host: (ctx.context.host ?? null) as string | null },
    }),
    async *sendStreamingMessage(input, ctx) {
      try {
        yield { task: task("t") };
        const [part] = input.message.parts;
        if (part?.text !== "wait") return;
        await new Promise((_, reject) =>
          ctx.signal.addEventListener("abort", () => reject(new Error("gone"))),
        );
      } finally {
        cleaned.resolve();
      }
    },
  },
  { card: { name: "x", capabilities: { streaming: true } }, limits: { bodyBytes: 1000 } },
);

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

const start = async (server: Server): Promise<number> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(() => server.close());
  return (server.address() as AddressInfo).port;
};

describe("http2", () => {
  const exchange = async (session: ClientHttp2Session, headers: Record<string, string>, body?: string) => {
    const stream = session.request({ ":method": body === undefined ? "GET" : "POST", ...v1, ...headers });
    stream.end(body);
    const [head] = await once(stream, "response");
    let text = "";
    for await (const chunk of stream.setEncoding("utf8")) text += String(chunk);
    return { head, text };
  };

  it("serves calls, streams, errors and the card in clear text", async () => {
    const port = await start(createH2c(createNodeHandler(router.handle)));
    const session = connect(`http://127.0.0.1:${port}`);
    cleanups.unshift(() => session.close());
    const call = { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "a" } };
    const unary = await exchange(session, { ":path": "/" }, JSON.stringify(call));
    expect(unary.head).toMatchObject({ ":status": 200, "content-type": "application/json" });
    expect(JSON.parse(unary.text).result.id).toBe("a");
    const stream = await exchange(session, { ":path": "/message:stream" }, JSON.stringify(send()));
    expect(stream.head["content-type"]).toBe("text/event-stream");
    expect(eventsOf(stream.text)).toEqual([{ data: { task: task("t") } }]);
    const rest = await exchange(session, { ":path": "/tasks/a%2Fb" });
    expect(JSON.parse(rest.text).id).toBe("a/b");
    const card = await exchange(session, { ":path": "/.well-known/agent-card.json" });
    expect(card.head[":status"]).toBe(200);
    const large = await exchange(session, { ":path": "/message:send" }, "x".repeat(1001));
    expect(large.head[":status"]).toBe(413);
    const text = await exchange(session, { ":path": "/message:send", "content-type": "text/plain" }, "x");
    expect(text.head[":status"]).toBe(400);
    expect((await exchange(session, { ":path": "/nope" })).head[":status"]).toBe(404);
  });

  it("a closed stream aborts the call", async () => {
    const port = await start(createH2c(createNodeHandler(router.handle)));
    const session = connect(`http://127.0.0.1:${port}`);
    cleanups.unshift(() => session.close());
    const gone = deferred();
    cleaned.resolve = () => gone.resolve();
    const stream = session.request({ ":method": "POST", ":path": "/message:stream", ...v1 });
    stream.end(JSON.stringify(send("wait")));
    await once(stream, "data");
    stream.close();
    await gone.promise;
  });
});

describe.skipIf(!hasOpenssl)("https", () => {
  it("serves, and shows the peer's address (A2A-13.4-a)", async () => {
    const peers: unknown[] = [];
    const secured = createRouter(
      A2A,
      { getTask: ({ id }) => task(id) },
      {
        authenticate: ({ peer }) => {
          peers.push(peer);
          return undefined;
        },
      },
    );
    const options = {
      ...authority("localhost").of.localhost,
      requestCert: true,
      rejectUnauthorized: false,
    };
    const port = await start(createHttps(options, createNodeHandler(secured.handle)));
    const request = httpsRequest({
      port,
      path: "/tasks/a",
      headers: v1,
      rejectUnauthorized: false,
      agent: false,
    });
    request.end();
    const [response] = await once(request, "response");
    let text = "";
    for await (const chunk of response.setEncoding("utf8")) text += String(chunk);
    expect(JSON.parse(text)).toEqual(task("a"));
    expect(peers).toEqual([{ address: "127.0.0.1", certificate: expect.anything(), verified: false }]);
  });
});

describe("fetch", () => {
  const handle = createFetchHandler(router.handle, { context: () => "worker" });
  const post = (path: string, body: BodyInit, init: object = {}) =>
    new Request(`https://agent.example${path}`, { method: "POST", headers: v1, body, ...init });

  it("answers calls with headers and the host's context", async () => {
    const call = { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "a" } };
    const reply = await handle(post("/", JSON.stringify(call)));
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toBe("application/json");
    expect((await reply.json()).result).toEqual({ ...task("a"), metadata: { host: "worker" } });
    const rest = await handle(new Request("https://agent.example/tasks/a%2Fb?x=1#y", { headers: v1 }));
    expect((await rest.json()).id).toBe("a/b");
    const cancel = await handle(
      new Request("https://agent.example/tasks/a:cancel", { method: "POST", headers: v1 }),
    );
    expect(cancel.status).toBe(400);
  });

  it("serves the card, HEAD and 304 included", async () => {
    const url = "https://agent.example/.well-known/agent-card.json";
    const card = await handle(new Request(url));
    expect(await card.json()).toMatchObject({ name: "x" });
    const head = await handle(new Request(url, { method: "HEAD" }));
    expect(head.headers.get("content-length")).toBe(card.headers.get("content-length"));
    const etag = card.headers.get("etag") ?? "";
    const fresh = await handle(new Request(url, { headers: { "if-none-match": etag } }));
    expect([fresh.status, fresh.body]).toEqual([304, null]);
    expect((await handle(new Request("https://agent.example"))).status).toBe(405);
  });

  it("a notification is 204 without a body", async () => {
    const reply = await handle(post("/", '{"jsonrpc":"2.0","method":"GetTask","params":{"id":"a"}}'));
    expect([reply.status, reply.body]).toEqual([204, null]);
  });

  it("limits the body, with and without a declared length, and reads UTF-8 only", async () => {
    expect((await handle(post("/message:send", "x".repeat(1001)))).status).toBe(413);
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(400).fill(0x78));
      },
    });
    expect((await handle(post("/message:send", endless, { duplex: "half" }))).status).toBe(413);
    expect(pulled).toBeLessThan(10);
    const broken = await handle(post("/", new Uint8Array([0x7b, 0xff, 0x7d])));
    expect((await broken.json()).error.code).toBe(-32700);
  });

  it("streams are pulled, and cancelled through", async () => {
    const reply = await handle(post("/message:stream", JSON.stringify(send())));
    expect(reply.headers.get("content-type")).toBe("text/event-stream");
    expect(eventsOf(await reply.text())).toEqual([{ data: { task: task("t") } }]);

    let pulls = 0;
    const [aborted, returned] = [deferred(), deferred()];
    const endless = createRouter(A2A, {
      async *sendStreamingMessage(_input, ctx) {
        ctx.signal.addEventListener("abort", () => aborted.resolve());
        try {
          for (;;) {
            pulls++;
            yield { task: task("t") };
          }
        } finally {
          returned.resolve();
        }
      },
    });
    const open = await endless.fetch(post("/message:stream", JSON.stringify(send())));
    const reader = open.body?.getReader();
    await reader?.read();
    await new Promise((resolve) => setImmediate(resolve));
    expect(pulls).toBeLessThanOrEqual(2);
    await reader?.cancel();
    await Promise.all([aborted.promise, returned.promise]);
  });

  it("the request's own signal ends it", async () => {
    const gone = deferred();
    cleaned.resolve = () => gone.resolve();
    const controller = new AbortController();
    const request = post("/message:stream", JSON.stringify(send("wait")), { signal: controller.signal });
    const reply = await handle(request);
    await reply.body?.getReader().read();
    controller.abort();
    await gone.promise;
  });
});

describe("node", () => {
  it("hands over the host's context", async () => {
    const server = createServer(
      createNodeHandler(router.handle, { context: (request) => `host ${request.url}` }),
    );
    const port = await start(server);
    const reply = await ask({ port }, "/tasks/a", { headers: v1 });
    expect(reply.json.metadata).toEqual({ host: "host /tasks/a" });
  });

  it("listen gives the address, and close ends open streams after the grace time", async () => {
    const server = await listen(router.handle);
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    expect((await rpc(server, "GetTask", { id: "a" })).status).toBe(200);
    const reply = await fetch(`${server.url}/message:stream`, {
      method: "POST",
      headers: v1,
      body: JSON.stringify(send("wait")),
    });
    const reader = reply.body?.getReader();
    await reader?.read();
    const gone = deferred();
    cleaned.resolve = () => gone.resolve();
    await server.close(20);
    await gone.promise;
    await expect(reader?.read()).rejects.toThrow();
    await expect(rpc(server, "GetTask", { id: "a" })).rejects.toThrow("ECONNREFUSED");
  });

  it("listen rejects a taken port", async () => {
    await using server = await listen(router.handle);
    await expect(listen(router.handle, { port: server.port })).rejects.toThrow("the port is in use");
  });
});
