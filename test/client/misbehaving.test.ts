import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { connect, isA2AError, type Agent } from "a2a-typed/client";
import type { StreamResponse, Task } from "a2a-typed/v1";
import { head, http, misbehave, stream, type Behaviour, type RawRequest } from "./misbehaving-server.js";
import {
  CONTEXT,
  MB,
  TASK,
  cardOf,
  check,
  completed,
  drips,
  fault,
  floods,
  floodsAfter,
  named,
  ok,
  replies,
  result,
  senders,
  task,
  writes,
  word,
  state,
  story,
  told,
  frame,
  frames,
  bare,
  type Case,
  type Outcome,
} from "./misbehaving-support.js";

// Made before any case begins to count its time.
const bomb = gzipSync(Buffer.alloc(50 * MB, " "));

const unary: readonly Case[] = [
  // Connections
  ["never answers", () => undefined, "TIMEOUT"],
  ["closes at once", ({ socket }) => socket.end(), "NETWORK"],
  ["resets", ({ socket }) => socket.resetAndDestroy(), "NETWORK"],
  ["sends half a header, then nothing", writes(() => "HTTP/1.1 200 OK\r\ncontent-ty"), "TIMEOUT"],
  ["sends half a header and closes", writes(() => "HTTP/1.1 200 OK\r\ncontent-ty", true), "NETWORK"],
  ["does not speak HTTP", writes(() => "220 mail.example.com ESMTP\r\n"), "NETWORK"],
  ["drips headers", drips("HTTP/1.1 200 OK\r\nx: ", "y"), "TIMEOUT"],
  [
    "drips headers, with a deadline for them",
    drips("HTTP/1.1 200 OK\r\nx: ", "y"),
    /no headers for 50 ms/.source,
    { headersTimeoutMs: 50 },
  ],
  ["sends headers without end", floodsAfter("HTTP/1.1 200 OK\r\nx: ", MB), "NETWORK"],
  ["sends 1xx without end", drips("", "HTTP/1.1 102 Processing\r\n\r\n"), "TIMEOUT"],
  [
    "switches protocols",
    writes(() => "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
    "NETWORK",
  ],
  [
    "answers in HTTP/1.0 without a length",
    writes((r) => `HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n${result(r)}`, true),
    completed,
  ],
  // Bodies
  [
    "promises more than it sends, and closes",
    writes(() => `${head({ "content-length": "500" })}{`, true),
    "NETWORK",
  ],
  [
    "promises more than it sends, and waits",
    writes(() => `${head({ "content-length": "500" })}{`),
    "TIMEOUT",
  ],
  [
    "promises less than it sends",
    writes((r) => `${head({ "content-length": "20", connection: "close" })}${result(r)}`, true),
    "DECODE",
  ],
  ["has a negative length", writes(() => head({ "content-length": "-5" })), "NETWORK"],
  [
    "has two lengths",
    writes(() => "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 7\r\n\r\n{}"),
    "NETWORK",
  ],
  ["has a chunk of no size", writes(() => `${head({ "transfer-encoding": "chunked" })}zz\r\n{}`), "NETWORK"],
  [
    "does not end its chunks",
    writes(() => `${head({ "transfer-encoding": "chunked" })}2\r\n{}\r\n`),
    "TIMEOUT",
  ],
  [
    "cuts its chunks",
    writes(() => `${head({ "transfer-encoding": "chunked" })}2\r\n{}\r\n`, true),
    "NETWORK",
  ],
  ["drips the body", drips(head({ "content-length": "100000" }), " "), "TIMEOUT"],
  [
    "sends more than is taken",
    floodsAfter(head({ "content-length": String(100 * MB) }), 100 * MB),
    "PAYLOAD_TOO_LARGE",
    { maxBodyBytes: MB },
  ],
  ["is silent in 200", replies(() => ""), "DECODE"],
  ["is silent in 204", writes(() => head({ connection: "close" }, "204 No Content"), true), "DECODE"],
  ["sends half a JSON text", replies((r) => result(r).slice(0, -9)), "DECODE"],
  ["sends a page", replies(() => "<html>Hello</html>", { "content-type": "text/html" }), "DECODE"],
  ["says that JSON is text", replies(result, { "content-type": "text/plain" }), completed],
  [
    "says nothing of the type",
    writes((r) => Buffer.from(`${head({ connection: "close" })}${result(r)}`), true),
    completed,
  ],
  ["begins with a BOM", replies((r) => `\uFEFF${result(r)}`), completed],
  ["answers in UTF-16", replies((r) => Buffer.from(result(r), "utf16le")), "DECODE"],
  [
    "sends bytes that are no UTF-8",
    replies(({ id }) => Buffer.from(ok(id, task(undefined, "\xff")), "latin1")),
    completed,
  ],
  ["compresses", replies((r) => gzipSync(result(r)), { "content-encoding": "gzip" }), completed],
  ["says that it compresses, and does not", replies(result, { "content-encoding": "gzip" }), "NETWORK"],
  [
    "compresses a lot into little",
    replies(() => bomb, { "content-encoding": "gzip" }),
    "PAYLOAD_TOO_LARGE",
    { maxBodyBytes: MB },
  ],
  [
    "nests deeply",
    replies(
      ({ id }) =>
        `{"jsonrpc":"2.0","id":${String(id)},"result":${'{"metadata":'.repeat(20_000)}1${"}".repeat(20_000)}}`,
    ),
    "DECODE",
  ],
  [
    "names members like those of objects",
    replies(
      ({ id }) =>
        `{"jsonrpc":"2.0","id":${String(id)},"result":{"__proto__":{"id":"x"},"id":"${TASK}","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}`,
    ),
    completed,
  ],
  // Envelopes
  ["answers another call", replies(({ id }) => ok(Number(id) + 1, task())), "DECODE"],
  ["makes a text of the id", replies(({ id }) => ok(String(id), task())), "DECODE"],
  ["leaves out the id", replies(() => JSON.stringify({ jsonrpc: "2.0", result: task() })), "DECODE"],
  ["has null for an id", replies(() => ok(null, task())), "DECODE"],
  ["leaves out jsonrpc", replies(({ id }) => JSON.stringify({ id, result: task() })), "DECODE"],
  [
    "speaks JSON-RPC 1.0",
    replies(({ id }) => JSON.stringify({ jsonrpc: "1.0", id, result: task() })),
    "DECODE",
  ],
  ["answers with a list", replies((r) => `[${result(r)}]`), "DECODE"],
  ["has neither result nor error", replies(({ id }) => JSON.stringify({ jsonrpc: "2.0", id })), "DECODE"],
  [
    "has result and error",
    replies(({ id }) =>
      JSON.stringify({ jsonrpc: "2.0", id, result: task(), error: { code: -32001, message: "Not today." } }),
    ),
    "TASK_NOT_FOUND",
  ],
  ["has null for a result", replies(({ id }) => ok(id, null)), "DECODE"],
  ["forgets the status", replies(({ id }) => ok(id, { id: TASK, contextId: CONTEXT })), "DECODE"],
  // Errors
  ["says in 200 that there is no task", replies(({ id }) => fault(id, -32001)), "TASK_NOT_FOUND"],
  ["forgets the code of the error", replies(({ id }) => fault(id, undefined)), "INVALID_AGENT_RESPONSE"],
  ["makes a text of the code", replies(({ id }) => fault(id, "-32001")), "INVALID_AGENT_RESPONSE"],
  ["fails with a page", replies(() => "<h1>Oops</h1>", { "content-type": "text/html" }, "500 Oops"), "HTTP"],
  ["is behind a proxy that fails", replies(() => "", {}, "502 Bad Gateway"), "HTTP"],
  ["is not there", replies(() => "", {}, "404 Not Found"), "HTTP"],
  ["wants to know who calls", replies(() => "", {}, "401 Unauthorized"), "UNAUTHENTICATED"],
  ["lets nobody in", replies(() => "", {}, "403 Forbidden"), "PERMISSION_DENIED"],
  ["has too much to do", replies(() => "", {}, "429 Too Many Requests"), "RESOURCE_EXHAUSTED"],
  // Redirects
  [
    "redirects to another origin",
    replies(() => "", { location: "http://127.0.0.1:1/" }, "307 There"),
    "HTTP",
  ],
  ["redirects in a circle", replies(() => "", { location: "/" }, "308 There"), "HTTP"],
  ["redirects nowhere", replies(() => "", {}, "307 There"), "HTTP"],
  ["redirects so that the body is lost", replies(() => "", { location: "/b" }, "302 There"), "HTTP"],
  [
    "redirects within the origin",
    ({ socket, index, ...r }) =>
      socket.end(
        index === 0 ? http("", { location: "/b" }, "307 There") : http(result({ socket, index, ...r })),
      ),
    completed,
  ],
];

const again = { retry: { delayMs: 5 } };
const once =
  (first: (socket: RawRequest["socket"]) => void): Behaviour =>
  (request) =>
    request.index === 0
      ? first(request.socket)
      : void request.socket.end(
          http(request.method === "SendMessage" ? ok(request.id, { task: task() }) : result(request)),
        );
const busy = (status: string, headers: Record<string, string> = {}) =>
  once((socket) => socket.end(http("", headers, status)));
const requests =
  (count: number): Outcome =>
  (value, server) => {
    const { status } = (value as { task?: Task }).task ?? (value as Task);
    expect([status.state, server.requests.length]).toEqual(["TASK_STATE_COMPLETED", count]);
  };

/** Repeated by `retry`. */
const reads: readonly Case[] = [
  ["resets once", once((socket) => socket.resetAndDestroy()), requests(2), again],
  ["is restarted behind its proxy", busy("502 Bad Gateway"), requests(2), again],
  ["does not answer once", once(() => undefined), requests(2), { ...again, headersTimeoutMs: 700 }],
  ["is busy for a moment", busy("503 Busy", { "retry-after": "0" }), requests(2), again],
  ["is busy for an hour", busy("503 Busy", { "retry-after": "3600" }), "HTTP", again],
  ["is always busy", replies(() => "", {}, "503 Busy"), "HTTP", again],
];
const sends: readonly Case[] = [
  ["resets once", once((socket) => socket.resetAndDestroy()), "NETWORK", again],
  ["is restarted behind its proxy", busy("502 Bad Gateway"), "HTTP", again],
  ["refuses and says until when", busy("429 Slowly", { "retry-after": "0" }), requests(2), again],
  ["refuses and does not say until when", busy("429 Slowly"), "RESOURCE_EXHAUSTED", again],
  ["is busy for a moment", busy("503 Busy", { "retry-after": "0" }), requests(2), again],
];

// Streams: a task of three words.
/** Streams as told; of the rest it knows GetTask, and subscriptions by event id. */
const tells =
  (first: (request: RawRequest) => void): Behaviour =>
  (request) => {
    const { id, method, lastEventId, socket } = request;
    if (method === "SendStreamingMessage") first(request);
    else if (method === "GetTask") socket.end(http(ok(id, told)));
    else if (lastEventId === undefined) socket.end(http(fault(id, -32004)));
    else stream(socket, frames(id, story.slice(Number(lastEventId)), Number(lastEventId) + 1));
  };
const streams = (make: (id: unknown) => string | Buffer, end = true, type?: string): Behaviour =>
  tells(({ socket, id }) => stream(socket, make(id), end, type));

/** What the task is in the end, and the events that were seen. */
interface Followed {
  readonly task: Task | undefined;
  readonly events: readonly StreamResponse[];
  readonly snapshots: number;
}
const whole: Outcome = (value) => {
  const { task: found, events } = value as Followed;
  expect(found).toEqual(told);
  expect(events).toEqual(story);
};
const mended: Outcome = (value) => {
  expect((value as Followed).task).toEqual(told);
  expect((value as Followed).events.at(-1)).toEqual({ task: told });
};

const followed: readonly Case[] = [
  ["tells a task", streams((id) => frames(id, story)), whole],
  ["forgets to close", streams((id) => frames(id, story), false), whole],
  ["goes on after the end", streams((id) => frames(id, [...story, word("four"), state("working")])), whole],
  ["begins with a BOM", streams((id) => `\uFEFF${frames(id, story)}`), whole],
  ["ends lines with CR", streams((id) => frames(id, story, 1, "\r")), whole],
  ["ends lines with CR LF", streams((id) => frames(id, story, 1, "\r\n")), whole],
  [
    "writes its type in capitals",
    streams((id) => frames(id, story), true, "Text/Event-Stream; charset=UTF-8"),
    whole,
  ],
  [
    "sends comments and unknown fields",
    streams((id) => `: hello\n\nretry: 5\nfoo: bar\n${frames(id, story)}: bye\n\n`),
    whole,
  ],
  [
    "spreads an event over lines",
    streams((id) => frames(id, story).replaceAll('"result":', '\ndata: "result":')),
    whole,
  ],
  [
    "compresses",
    tells(({ socket, id }) => {
      socket.write(
        head({ "content-type": "text/event-stream", "content-encoding": "gzip", connection: "close" }),
      );
      socket.end(gzipSync(frames(id, story)));
    }),
    whole,
  ],
  ["repeats events", streams((id) => frames(id, story.slice(0, 4)) + frames(id, story.slice(1), 2)), whole],
  [
    "repeats events without ids",
    streams((id) => bare(id, [...story.slice(0, 4), ...story.slice(3)])),
    mended,
  ],
  [
    "tells events in disorder",
    streams((id) => [1, 2, 3, 5, 4, 6].map((n) => frame(id, story[n - 1], n)).join("")),
    mended,
  ],
  [
    "gives all events one id",
    streams((id) => story.map((event) => frame(id, event, 7)).join("")),
    (value) => expect((value as Followed).task).toEqual(told),
  ],
  [
    "tells of another task",
    streams((id) => frames(id, [...story.slice(0, 3), word("no", true, "other"), ...story.slice(3)])),
    whole,
  ],
  ["begins in the middle", streams((id) => bare(id, story.slice(3))), mended],
  ["ends in the middle", streams((id) => frames(id, story.slice(0, 3))), whole],
  ["ends in the middle, without ids", streams((id) => bare(id, story.slice(0, 3))), mended],
  [
    "resets in the middle",
    tells(({ socket, id }) => {
      socket.write(head({ "content-type": "text/event-stream" }));
      socket.write(frames(id, story.slice(0, 3)), () => setTimeout(() => socket.resetAndDestroy(), 20));
    }),
    whole,
  ],
  ["falls silent in the middle", streams((id) => frames(id, story.slice(0, 3)), false), whole],
  [
    "repeats what it told before a break",
    (request) => {
      const { id, method, socket } = request;
      if (method === "SendStreamingMessage") stream(socket, frames(id, story.slice(0, 4)));
      else stream(socket, frames(id, story.slice(1), 2));
    },
    whole,
  ],
  [
    "breaks every subscription at once",
    (request) => {
      const { id, method, socket } = request;
      if (method === "SendStreamingMessage") stream(socket, frames(id, story.slice(0, 3)));
      else if (method === "GetTask") socket.end(http(ok(id, told)));
      else stream(socket, "");
    },
    mended,
  ],
  [
    "knows another task when it is asked again",
    (request) => {
      const { id, method, socket } = request;
      if (method === "SendStreamingMessage") stream(socket, bare(id, story.slice(0, 3)));
      else if (method === "GetTask") socket.end(http(ok(id, { ...told, id: "other" })));
      else socket.end(http(fault(id, -32004)));
    },
    "INVALID_AGENT_RESPONSE",
  ],
  ["sends headers and no event", streams(() => "", false), "TIMEOUT"],
  [
    "sends comments and no event",
    tells((r) => drips(head({ "content-type": "text/event-stream" }), ":\n\n")(r)),
    "TIMEOUT",
  ],
  [
    "drips an event",
    tells((r) => drips(head({ "content-type": "text/event-stream" }) + "data: ", " ")(r)),
    "TIMEOUT",
  ],
  ["ends before its first event", streams(() => ""), "STREAM_CUT"],
  [
    "answers a stream with JSON",
    tells(({ socket, id }) => socket.end(http(ok(id, { task: told })))),
    "DECODE",
  ],
  [
    "answers a stream with a page",
    tells(({ socket }) => socket.end(http("<html>", { "content-type": "text/html" }))),
    "DECODE",
  ],
  [
    "answers a stream with an error",
    tells(({ socket, id }) => socket.end(http(fault(id, -32005)))),
    "CONTENT_TYPE_NOT_SUPPORTED",
  ],
  [
    "streams an error",
    streams((id) => `${frames(id, story.slice(0, 2))}data: ${fault(id, -32603)}\n\n`),
    "INTERNAL_ERROR",
  ],
  ["streams a page", streams(() => "<html>"), "DECODE"],
  ["streams nonsense", streams((id) => `${frames(id, story.slice(0, 2))}data: {nonsense\n\n`), "DECODE"],
  [
    "streams events of another call",
    streams((id) => frame(id, story[0], 1) + frame(99, story[1], 2)),
    "DECODE",
  ],
  [
    "streams an event of 100 MB",
    tells(({ socket, id }) => {
      socket.write(head({ "content-type": "text/event-stream" }) + frame(id, story[0], 1) + "data: ");
      floods(socket, 100 * MB);
    }),
    "PAYLOAD_TOO_LARGE",
    { maxEventBytes: MB },
  ],
  [
    "streams 100 MB of no event",
    tells(({ socket }) => {
      socket.write(head({ "content-type": "text/event-stream" }));
      floods(socket, 100 * MB);
    }),
    "PAYLOAD_TOO_LARGE",
    { maxEventBytes: MB },
  ],
];

const cards: readonly Case[] = [
  ["never answers", () => undefined, "TIMEOUT", { discoveryTimeoutMs: 200 }],
  ["has pages everywhere", replies(() => "<html>", { "content-type": "text/html" }), "DECODE"],
  ["has no card", replies(() => "", {}, "404 Not Found"), "HTTP"],
  ["has a card of 100 MB", floodsAfter(head({}), 100 * MB), "PAYLOAD_TOO_LARGE"],
  ["sends away for it", replies(() => "", { location: "http://127.0.0.1:1/card.json" }, "302 There"), "HTTP"],
  ["has a card that names nothing to call", replies(() => "{}"), "DECODE"],
  ["has half a card", replies(() => '{"name":'), "DECODE"],
];

async function follow(agent: Agent): Promise<Followed> {
  const run = await agent.start("go", { pollIntervalMs: 5 });
  const events: StreamResponse[] = [];
  for await (const event of run) events.push(event);
  const { task: found, snapshots } = run;
  return { task: found, events, snapshots };
}

describe.each(senders)("with %s,", (_name, fetch) => {
  describe("a server that", () => {
    it.concurrent.each(named(unary))("%s", (_, one) =>
      check(fetch, one, (agent) => agent.getTask({ id: TASK })),
    );
  });

  describe("a call that may be repeated, to a server that", () => {
    it.concurrent.each(named(reads))("%s", (_, one) =>
      check(fetch, one, (agent) => agent.getTask({ id: TASK })),
    );
  });

  describe("a message, to a server that", () => {
    it.concurrent.each(named(sends))("%s", (_, one) => check(fetch, one, (agent) => agent.send("hello")));
  });

  describe("a task of a server that", () => {
    it.concurrent.each(named(followed))("%s", (_, one) => check(fetch, one, follow));
  });

  describe("the card of a server that", () => {
    it.concurrent.each(named(cards))("%s", (_, one) =>
      check(fetch, one, (agent) => Promise.resolve(agent.card), true),
    );
  });

  it("nobody listens: NETWORK, whatever is called", async () => {
    const gone = await misbehave(() => undefined);
    await gone[Symbol.asyncDispose]();
    const agent = await connect(cardOf(gone.url), { fetch, retry: { delayMs: 1 } });
    await expect(agent.send("hello")).rejects.toMatchObject({ reason: "NETWORK" });
    await expect(agent.start("hello")).rejects.toMatchObject({ reason: "NETWORK" });
  });

  it("a stream that is cut after any of its bytes is told in full, or never began", async () => {
    let cut = 0;
    let recorded = "";
    await using server = await misbehave(
      tells(({ socket, id }) => {
        recorded = frames(id, story);
        stream(socket, recorded.slice(0, cut));
      }),
    );
    const agent = await connect(cardOf(server.url), { fetch, retry: false });
    const first = frame(1, story[0], 1).length;
    for (cut = 0; cut <= Math.max(recorded.length, 1); cut += 1) {
      const found = await follow(agent).catch((error: unknown) => error);
      if (isA2AError(found, "STREAM_CUT")) {
        expect(cut).toBeLessThan(first + 4);
        continue;
      }
      expect(found).toEqual({ task: told, events: story, snapshots: 0 });
    }
    expect(cut).toBeGreaterThan(1_000);
    await server.idle();
    expect(server.open).toBe(0);
  }, 120_000);
});
