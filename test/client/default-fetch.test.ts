import { deflateSync, gzipSync } from "node:zlib";
import {
  Agent,
  MockAgent,
  getGlobalDispatcher,
  interceptors,
  setGlobalDispatcher,
  type Dispatcher,
} from "undici";
import { afterEach, describe, expect, it, vi } from "vitest";
import { A2A, userMessage } from "../../generated/v1.0/index.js";
import { defaultFetch } from "../../src/client/default-fetch.js";
import type { FetchInit, FetchResponse } from "../../src/client/fetch-like.js";
import { textOf } from "../../src/client/http-body.js";
import { createClient, jsonRpc } from "../../src/index.js";
import { drain, frame, listen, message, openStream, reply, status, task } from "./support.js";

const hello = { message: userMessage("hello") };
const init = (signal = new AbortController().signal): FetchInit => ({
  method: "GET",
  headers: {},
  signal,
  redirect: "manual",
});
const get = (url: string, signal?: AbortSignal): Promise<FetchResponse> => defaultFetch(url, init(signal));
const read = (response: FetchResponse): Promise<string> => textOf(response, new AbortController().signal);

/** The pool of Node, which counts the requests that it gets. */
function countedPool(): { readonly paths: string[] } & Disposable {
  const before = getGlobalDispatcher();
  const paths: string[] = [];
  class Counted extends Agent {
    override dispatch(...[options, handler]: Parameters<Agent["dispatch"]>): boolean {
      paths.push(options.path);
      return super.dispatch(options, handler);
    }
  }
  const pool = new Counted();
  setGlobalDispatcher(pool);
  return {
    paths,
    [Symbol.dispose]() {
      setGlobalDispatcher(before);
      void pool.destroy();
    },
  };
}

/** What takes the bytes. */
interface Receiving {
  onHeaders(this: void, status: number, headers: Buffer[], resume: () => void): boolean;
  onData(this: void, chunk: Buffer): boolean;
}

/** The pool of Node, seen from between it and who takes the bytes. */
function watchedPool(): { readonly heldBack: Promise<number>; readonly unasked: number } & Disposable {
  const before = getGlobalDispatcher();
  const { promise: heldBack, resolve } = withResolvers<number>();
  let come = 0;
  let unasked = 0;
  class Watched extends Agent {
    override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
      let paused = false;
      const { onHeaders, onData } = handler as Receiving;
      const watching: Receiving = {
        ...handler,
        onHeaders: (status, headers, resume) =>
          onHeaders(status, headers, () => {
            paused = false;
            resume();
          }),
        onData(chunk) {
          if (paused) unasked += 1;
          come += chunk.length;
          paused = !onData(chunk);
          if (paused) resolve(come);
          return !paused;
        },
      };
      return super.dispatch(options, watching);
    }
  }
  const pool = new Watched();
  setGlobalDispatcher(pool);
  return {
    heldBack,
    get unasked() {
      return unasked;
    },
    [Symbol.dispose]() {
      setGlobalDispatcher(before);
      void pool.destroy();
    },
  };
}

function withResolvers<T>(): { readonly promise: Promise<T>; resolve(value: T): void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("where requests go unless an option says otherwise", () => {
  it("the pool of Node's fetch, without fetch", async () => {
    using pool = countedPool();
    await using server = await listen((seen, response) => {
      if (seen.json.method === "SendMessage") {
        reply(response, { jsonrpc: "2.0", id: seen.json.id, result: message("hi") });
        return;
      }
      const send = openStream(response);
      send(frame(seen.json.id, task("TASK_STATE_WORKING")));
      send(frame(seen.json.id, status("TASK_STATE_COMPLETED")));
      response.end();
    });
    const response = await get(`${server.url}/plain?a=1`);
    expect(response).not.toBeInstanceOf(Response);
    await read(response);
    const client = createClient(A2A, jsonRpc({ url: `${server.url}/rpc` }));
    expect((await client.sendMessage(hello)).message?.messageId).toBeDefined();
    expect((await drain(client.sendStreamingMessage(hello))).events.length).toBe(2);
    expect(pool.paths).toEqual(["/plain?a=1", "/rpc", "/rpc"]);
    expect(server.seen[0]?.headers).toMatchObject({
      "user-agent": "node",
      "accept-encoding": "gzip, deflate",
    });
  });

  it("a fetch that somebody has put in its place", async () => {
    using pool = countedPool();
    const asked: string[] = [];
    vi.stubGlobal("fetch", (url: string) => {
      asked.push(url);
      return Promise.resolve(new Response("mine"));
    });
    expect(await read(await get("http://agent.example.com/"))).toBe("mine");
    expect(asked).toEqual(["http://agent.example.com/"]);
    expect(pool.paths).toEqual([]);
  });
});

describe("a pool that somebody has put in the place of Node's", () => {
  const replaced = (pool: Dispatcher): Disposable => {
    const before = getGlobalDispatcher();
    setGlobalDispatcher(pool);
    return {
      [Symbol.dispose]() {
        setGlobalDispatcher(before);
        void pool.close();
      },
    };
  };

  it("answers in its stead: a mock", async () => {
    const mock = new MockAgent();
    mock.disableNetConnect();
    using _ = replaced(mock);
    mock
      .get("http://agent.example.com")
      .intercept({ path: "/a?b=1", method: "GET" })
      .reply(203, "mocked", { headers: { "x-two": ["a", "b"] } });
    const response = await get("http://agent.example.com/a?b=1");
    expect([response.status, response.headers.get("x-two"), await read(response)]).toEqual([
      203,
      "a, b",
      "mocked",
    ]);
    await expect(get("http://other.example.com/")).rejects.toMatchObject({
      code: "UND_MOCK_ERR_MOCK_NOT_MATCHED",
    });
  });

  it("sees to it in its way: interceptors", async () => {
    await using server = await listen((seen, response) => {
      if (seen.headers["x-added"] !== "1" || server.seen.length === 1) response.writeHead(503).end();
      else response.writeHead(200, ["x-two", "a", "x-two", "b\u00e9"]).end("at last");
    });
    const add: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
      dispatch(
        { ...options, headers: { ...(options.headers as Record<string, string>), "x-added": "1" } },
        handler,
      );
    using _ = replaced(new Agent().compose(add, interceptors.retry({ minTimeout: 1 })));
    const response = await get(server.url);
    expect(response).not.toBeInstanceOf(Response);
    expect(response.headers.get("x-two")).toBe("a, b\u00e9");
    expect(await read(response)).toBe("at last");
    expect(server.seen.length).toBe(2);
  });

  it("is passed by where it is none", async () => {
    await using server = await listen((_, response) => {
      reply(response, "text");
    });
    const key = Symbol.for("undici.globalDispatcher.1");
    const before = getGlobalDispatcher();
    Object.defineProperty(globalThis, key, { value: {}, writable: true });
    try {
      const asked = vi.fn(() => Promise.resolve(new Response("mine")));
      // Still that of Node by its text.
      vi.stubGlobal("fetch", Object.assign(asked, { toString: () => "internal/deps/undici" }));
      expect(await read(await get(server.url))).toBe("mine");
    } finally {
      setGlobalDispatcher(before);
    }
  });

  it("gets no URL that fetch refuses, and none that is not HTTP", async () => {
    using pool = countedPool();
    await expect(get("http://me:secret@127.0.0.1/")).rejects.toBeInstanceOf(TypeError);
    expect(await read(await get("data:text/plain,hello"))).toBe("hello");
    expect(pool.paths).toEqual([]);
  });
});

describe("replies from the pool", () => {
  it("have their headers, those that came twice too", async () => {
    await using server = await listen((_, response) => {
      response.writeHead(
        201,
        [
          ["X-One", "1"],
          ["X-Two", "a"],
          ["x-two", "b\u00e9"],
        ].flat(),
      );
      response.end("text");
    });
    const response = await get(server.url);
    expect(response.status).toBe(201);
    expect(response.headers.get("X-ONE")).toBe("1");
    expect(response.headers.get("x-two")).toBe("a, b\u00e9");
    expect(response.headers.get("x-three")).toBeNull();
    expect(Object.fromEntries(response.headers)).toMatchObject({ "x-one": "1", "x-two": "a, b\u00e9" });
    expect(await response.text()).toBe("text");
  });

  it("come after what is said before them", async () => {
    await using server = await listen((_, response) => {
      response.writeEarlyHints({ link: "</style.css>; rel=preload" });
      reply(response, { late: true });
    });
    const response = await get(server.url);
    expect(response.status).toBe(200);
    expect(await read(response)).toBe('{"late":true}');
  });

  it.each([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["identity", Buffer.from],
  ])("are read in the content coding %s", async (coding, encode) => {
    const text = "é".repeat(100_000);
    await using server = await listen((_, response) => {
      reply(response, encode(Buffer.from(text)), { headers: { "content-encoding": coding } });
    });
    expect(await read(await get(server.url))).toBe(text);
  });

  it("are held back while nobody reads, and come whole", async () => {
    using pool = watchedPool();
    const size = 64 * 1024 * 1024;
    await using server = await listen((seen, response) => {
      if (seen.url === "/large") response.end(Buffer.alloc(size, "x"));
      else reply(response, "small");
    });
    const reader = (await get(`${server.url}/large`)).body?.getReader();
    const come = await pool.heldBack;
    expect(come).toBeLessThan(256 * 1024);
    // Others are served meanwhile.
    expect(await read(await get(`${server.url}/small`))).toBe("small");
    let total = 0;
    for (;;) {
      const step = await reader?.read();
      if (step === undefined || step.done) break;
      total += step.value?.length ?? 0;
    }
    expect(total).toBe(size);
    expect(pool.unasked).toBe(0);
  });

  it("end with the reason of the signal: before the headers, and in the middle", async () => {
    await using server = await listen((seen, response) => {
      if (seen.url === "/stream") openStream(response)("data: 1\n\n");
    });
    const early = new AbortController();
    const unanswered = get(`${server.url}/silent`, early.signal);
    await vi.waitUntil(() => server.seen.length === 1);
    early.abort(new Error("early"));
    await expect(unanswered).rejects.toThrow("early");
    await server.seen[0]?.closed;

    const late = new AbortController();
    const reader = (await get(`${server.url}/stream`, late.signal)).body?.getReader();
    expect((await reader?.read())?.value?.length).toBe(9);
    const pending = reader?.read();
    late.abort(new Error("late"));
    await expect(pending).rejects.toThrow("late");
    await server.seen[1]?.closed;

    await expect(get(server.url, AbortSignal.abort(new Error("never")))).rejects.toThrow("never");
    expect(server.seen.length).toBe(2);
  });

  it("free the connection when nobody reads on", async () => {
    await using server = await listen((_, response) => {
      openStream(response)("data: 1\n\n");
    });
    const reader = (await get(server.url)).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await server.seen[0]?.closed;
    expect(await reader?.read()).toEqual({ done: true });
  });

  it("fail with the error of the network", async () => {
    const server = await listen(() => undefined);
    await server[Symbol.asyncDispose]();
    await expect(get(server.url)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });
});
