/**
 * The order of the steps that a request passes: whatever else is wrong with it, the earliest failing step is what is
 * told. Each step is tried with each later one, and with all of them.
 */
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { A2AError } from "../../src/index.js";
import { serve, type RunningServer } from "../../src/server.js";
import { ask, raw, type Answer } from "../rpc/support.js";
import { bindings, callerOf, say, type BindingName, type Json } from "../rules/support.js";
import { agentOf, quiet } from "../server/agents.js";

const EXTENSION = "https://example.com/extensions/needed";
const extensions = [{ uri: EXTENSION, description: "Needed.", required: true }];

/** A SendStreamingMessage request before it is written. */
interface Draft {
  readonly input: Json;
  readonly headers: Record<string, string>;
  method: string;
  path: string;
  query: string;
  tail: string;
  /** The card declares streaming. */
  streaming: boolean;
}

interface Step {
  readonly name: string;
  /** The binding that has it; both where absent. */
  readonly of?: BindingName;
  breaks(draft: Draft): void;
  /** Status over JSON-RPC, over HTTP+JSON, and what the body must say. */
  readonly told: readonly [rpc: number, rest: number, RegExp];
}

let paused = "";
let finished = "";

const steps: readonly Step[] = [
  { name: "route", breaks: (d) => (d.path = "/no/such/route"), told: [404, 404, /No such route/] },
  {
    name: "media type",
    breaks: (d) => (d.headers["content-type"] = "text/plain"),
    told: [200, 400, /CONTENT_TYPE_NOT_SUPPORTED.*text\/plain|text\/plain.*CONTENT_TYPE_NOT_SUPPORTED/],
  },
  {
    name: "version",
    breaks: (d) => (d.headers["a2a-version"] = "9.9"),
    told: [200, 400, /VERSION_NOT_SUPPORTED/],
  },
  {
    name: "authentication",
    breaks: (d) => delete d.headers["authorization"],
    told: [401, 401, /Who are you/],
  },
  { name: "body limit", breaks: (d) => (d.input.pad = "x".repeat(3000)), told: [413, 413, /body/] },
  { name: "JSON", breaks: (d) => (d.tail = "}"), told: [200, 400, /Invalid JSON/] },
  {
    name: "method",
    of: "JSONRPC",
    breaks: (d) => (d.method = "NoSuchMethod"),
    told: [200, 404, /-32601/],
  },
  { name: "decode", breaks: (d) => (d.input.message.role = {}), told: [200, 400, /message\.role/] },
  {
    name: "tenant",
    of: "HTTP+JSON",
    breaks: (d) => {
      d.query = "?tenant=one";
      d.input.tenant = "two";
    },
    told: [200, 400, /different tenants/],
  },
  {
    name: "required extension",
    breaks: (d) => delete d.headers["a2a-extensions"],
    told: [200, 400, /EXTENSION_SUPPORT_REQUIRED/],
  },
  { name: "capability", breaks: (d) => (d.streaming = false), told: [200, 400, /capability streaming/] },
  {
    name: "task lookup",
    breaks: (d) => (d.input.message.taskId = "no-such-task"),
    told: [200, 404, /TASK_NOT_FOUND/],
  },
  {
    name: "context match",
    breaks: (d) => (d.input.message.contextId = "another"),
    told: [200, 400, /message\.contextId/],
  },
  {
    name: "terminal check",
    breaks: (d) => {
      if (d.input.message.taskId === paused) d.input.message.taskId = finished;
    },
    told: [200, 400, /has ended/],
  },
  {
    name: "content types",
    breaks: (d) => (d.input.message.parts = [{ url: "https://example.com/a.png", mediaType: "image/png" }]),
    told: [200, 400, /does not take image\/png/],
  },
];

const agent = (streaming: boolean) =>
  agentOf(
    (ctx, { parts }) => Promise.resolve(parts[0]?.text === "end" ? "done" : ctx.inputRequired("more?")),
    { card: { capabilities: { streaming, extensions }, defaultInputModes: ["text/plain"] } as Json },
  );

const auth = ({ headers }: { headers: Record<string, string | undefined> }) => {
  if (headers["authorization"] === undefined) throw new A2AError("UNAUTHENTICATED", "Who are you?");
  return { principal: "ann" };
};

let servers: readonly RunningServer[] = [];
const good = {
  "a2a-version": "1.0",
  "content-type": "application/json",
  authorization: "Bearer x",
  "a2a-extensions": EXTENSION,
};

beforeAll(async () => {
  const options = { port: 0, logger: quiet, sweepMs: 0, auth, limits: { bodyBytes: 2_000 } };
  servers = [await serve(agent(true), options), await serve(agent(false), options)];
  const at = callerOf(servers[0]?.url ?? "", "JSONRPC");
  paused = (await at.ok("SendMessage", say("go on"), good)).task.id;
  finished = (await at.ok("SendMessage", say("end"), good)).task.id;
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
});

/** Sends a request with faults; those of later steps are made first, so that none undoes an earlier one. */
const send = (binding: BindingName, faults: readonly Step[]): Promise<Answer> => {
  const draft: Draft = {
    input: say("hi", { taskId: paused }),
    headers: { ...good },
    method: "SendStreamingMessage",
    path: binding === "JSONRPC" ? "/" : "/message:stream",
    query: "",
    tail: "",
    streaming: true,
  };
  for (const fault of [...faults].reverse()) fault.breaks(draft);
  const { input, method } = draft;
  const body = binding === "JSONRPC" ? { jsonrpc: "2.0", id: 7, method, params: input } : input;
  return ask(servers[draft.streaming ? 0 : 1] ?? { port: 0 }, draft.path + draft.query, {
    method: "POST",
    headers: draft.headers,
    body: JSON.stringify(body) + draft.tail,
  });
};

describe.each(bindings)("order of a request over %s", (binding) => {
  const own = steps.filter(({ of = binding }) => of === binding);

  it("passes where nothing is wrong", async () => {
    const { status, headers } = await send(binding, []);
    expect([status, headers["content-type"]]).toEqual([200, "text/event-stream"]);
  });

  it.each(own.map((step, i) => ({ step, later: own.slice(i + 1) })))(
    "$step.name comes before what follows (A2A-13.4-e)",
    async ({ step, later }) => {
      const [rpc, rest, words] = step.told;
      for (const others of [[], ...later.map((one) => [one]), later]) {
        const answer = await send(binding, [step, ...others]);
        const what = `with ${others.map(({ name }) => name).join(", ")}`;
        expect(answer.text, what).toMatch(words);
        expect(answer.status, what).toBe(binding === "JSONRPC" ? rpc : rest);
        expect(answer.json?.error, what).toBeDefined();
      }
    },
  );

  it("authenticates before a byte of the body is there (A2A-13.4-e)", async () => {
    const socket = await raw(servers[0] ?? { port: 0 });
    const path = binding === "JSONRPC" ? "/" : "/message:stream";
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nA2A-Version: 1.0\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`,
    );
    const [first] = (await once(socket, "data")) as [Buffer];
    socket.destroy();
    expect(first.toString()).toMatch(/^HTTP\/1.1 401 /);
  });
});
