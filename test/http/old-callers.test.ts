/** What the edge and the limits of a server say to callers of 0.3 and 0.2, each in its own shape. */
import { describe, expect, it } from "vitest";
import { serve, type ServeOptions } from "../../src/server.js";
import { agentOf, gate, quiet } from "../server/agents.js";
import type { Json } from "../rules/support.js";

const message = { kind: "message", messageId: "m1", role: "user", parts: [{ kind: "text", text: "hi" }] };
const rpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 7, method, params });

interface Tongue {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly path: (streaming: boolean) => string;
  readonly body: (streaming: boolean) => object;
  /** What a caller of it is told of an error. */
  readonly error: (json: Json) => Json;
  readonly state: (json: Json) => string;
}

const overRpc = (name: string, headers: Tongue["headers"]): Tongue => ({
  name,
  headers,
  path: () => "/",
  body: (streaming) => rpc(streaming ? "message/stream" : "message/send", { message }),
  error: ({ jsonrpc, id, error }: Json) => ({ ...error, about: [jsonrpc, id] }),
  state: ({ result }: Json) => result.status.state,
});
const tongues: readonly Tongue[] = [
  overRpc("0.3 over JSON-RPC", {}),
  overRpc("0.2 over JSON-RPC", { "a2a-version": "0.2" }),
  {
    name: "0.3 over HTTP+JSON",
    headers: {},
    path: (streaming) => (streaming ? "/v1/message:stream" : "/v1/message:send"),
    body: () => ({ message }),
    error: (json: Json) => ({ ...json, about: ["2.0", 7] }),
    state: ({ task }: Json) => task.status.state.replace("TASK_STATE_", "").toLowerCase(),
  },
];

describe.each(tongues)("$name", ({ headers, path, body, error, state }) => {
  const open = async (agent: Parameters<typeof serve>[0], options: Partial<ServeOptions>) => {
    const server = await serve(agent, { port: 0, logger: quiet, sweepMs: 0, ...options });
    const send = (streaming = false, more: object = {}): Promise<Response> =>
      fetch(server.url + path(streaming), {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ ...body(streaming), ...more }),
      });
    return { server, send, [Symbol.asyncDispose]: () => server.close({ deadlineMs: 0 }) };
  };
  const told = async (response: Response, code: number, text: string): Promise<void> => {
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(error(await response.json())).toEqual({ code, message: text, about: ["2.0", 7] });
  };
  const echo = agentOf(async () => "done");

  it("a rate limit is 429 with Retry-After, for streams too", async () => {
    await using at = await open(echo, { rateLimit: () => ({ retryAfterMs: 1_500 }) });
    for (const streaming of [false, true]) {
      const refused = await at.send(streaming);
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "2"]);
      await told(refused, -32000, "Too many requests; try again in 2 s");
    }
  });

  it("so is one handler too many", async () => {
    const [began, go] = [gate(), gate()];
    const slow = agentOf(async () => {
      began.open();
      await go.passed;
      return "done";
    });
    await using at = await open(slow, { limits: { runningTasks: 1 } });
    const first = at.send();
    await began.passed;
    const refused = await at.send();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    const text = "1 tasks are being worked on for this caller; try again when one has ended";
    await told(refused, -32000, text);
    go.open();
    expect(state(await (await first).json())).toBe("completed");
  });

  it("a handler that takes too long is a task that failed", async () => {
    await using at = await open(
      agentOf(() => new Promise(() => undefined)),
      { limits: { handlerMs: 10 } },
    );
    expect(state(await (await at.send()).json())).toBe("failed");
  });

  it("whoever waits at the end of the server gets the answer", async () => {
    const [began, go] = [gate(), gate()];
    const slow = agentOf(async () => {
      began.open();
      await go.passed;
      return "done";
    });
    await using at = await open(slow, {});
    const waits = at.send();
    await began.passed;
    const closed = at.server.close();
    go.open();
    expect(state(await (await waits).json())).toBe("completed");
    await closed;
  });

  it("a body that is too large is refused", async () => {
    await using at = await open(echo, { limits: { bodyBytes: 1_000 } });
    const refused = await at.send(false, { padding: "x".repeat(1_000) });
    expect(refused.status).toBe(413);
    expect(error(await refused.json())).toMatchObject({ message: expect.stringContaining("1000 bytes") });
  });
});
