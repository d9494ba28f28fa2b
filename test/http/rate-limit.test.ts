/** Rate limits, throttled guessing and the audit trail. */
import { describe, expect, it } from "vitest";
import { A2AError } from "../../src/index.js";
import { createServer, tokenBucket, type AuditEntry, type RateLimitInfo } from "../../src/server.js";
import { bindings, host, say, type Host } from "../rules/support.js";
import { agentOf, quiet } from "../server/agents.js";

const echo = agentOf((_, { parts }) => Promise.resolve(parts[0]?.text ?? "nothing"));
const info = (more: Partial<RateLimitInfo> = {}): RateLimitInfo => ({
  principal: undefined,
  scope: undefined,
  peer: { address: "10.0.0.1" },
  method: "SendMessage",
  headers: {},
  refused: undefined,
  ...more,
});

/** `Bearer <name>` is who it says; anything else is nobody. */
const auth = ({ headers }: { headers: Record<string, string | undefined> }) => {
  const name = /^Bearer (\w+)$/.exec(headers["authorization"] ?? "")?.[1];
  if (name === undefined || name === "wrong") throw new A2AError("UNAUTHENTICATED", "Who are you?");
  return { principal: { id: name } };
};
const as = (name: string) => ({ authorization: `Bearer ${name}` });

/** Status of a request that is refused before its body is read. */
const statusAs = async ({ url, binding }: Host, name: string): Promise<number> => {
  const headers = { "a2a-version": "1.0", "content-type": "application/json", ...as(name) };
  const path = binding === "JSONRPC" ? "" : "/message:send";
  return (await fetch(url + path, { method: "POST", headers, body: "{}" })).status;
};

describe.each(bindings)("rate limits over %s", (binding) => {
  const exhausted = binding === "JSONRPC" ? { code: -32000 } : { code: 429, status: "RESOURCE_EXHAUSTED" };

  it("answers 429 with Retry-After where the hook refuses, for every operation (A2A-13.4-p, A2A-13.4-q)", async () => {
    const seen: RateLimitInfo[] = [];
    await using at = await host(binding, echo, {
      auth,
      rateLimit: (one) => {
        seen.push(one);
        return Promise.resolve({ retryAfterMs: 1_500 });
      },
    });
    for (const [name, input] of [
      ["SendMessage", say("hi")],
      ["SendStreamingMessage", say("hi")],
      ["GetTask", { id: "t" }],
      ["ListTasks", {}],
      ["CancelTask", { id: "t" }],
      ["SubscribeToTask", { id: "t" }],
      ["GetExtendedAgentCard", {}],
      ["DeleteTaskPushNotificationConfig", { taskId: "t", id: "c" }],
    ] as const) {
      const refused = await at.call(name, input, as("ann"));
      expect(refused.status).toBe(429);
      expect(refused.headers.get("retry-after")).toBe("2");
      expect(refused.json.error).toMatchObject({
        ...exhausted,
        message: "Too many requests; try again in 2 s",
      });
      const last = seen.at(-1);
      expect(last).toMatchObject({ method: name, principal: { id: "ann" }, refused: undefined });
      expect(last?.peer?.address).toMatch(/127\.0\.0\.1/);
      expect(last?.headers["a2a-version"]).toBe("1.0");
    }
  });

  it("asks after authentication and before the input is decoded (A2A-13.4-p)", async () => {
    await using at = await host(binding, echo, { auth, rateLimit: () => ({ retryAfterMs: 1 }) });
    expect((await at.call("SendMessage", { message: 5 }, as("ann"))).status).toBe(429);
    await using free = await host(binding, echo, { auth, rateLimit: () => undefined });
    expect((await free.call("SendMessage", { message: 5 }, as("ann"))).status).not.toBe(429);
    expect(await statusAs(free, "wrong")).toBe(401);
    await free.ok("SendMessage", say("hi"), as("ann"));
  });

  it("takes limits that differ by operation and by caller (A2A-13.4-r)", async () => {
    const sends = tokenBucket({
      perSecond: 0.001,
      burst: 1,
      key: ({ method, principal }) => {
        const { id } = principal as { id: string };
        return method === "SendMessage" && id !== "paying" ? id : undefined;
      },
    });
    await using at = await host(binding, echo, { auth, rateLimit: [sends] });
    await at.ok("SendMessage", say("1"), as("ann"));
    expect((await at.call("SendMessage", say("2"), as("ann"))).status).toBe(429);
    await at.ok("ListTasks", {}, as("ann"));
    await at.ok("SendMessage", say("1"), as("bob"));
    for (const text of ["1", "2", "3"]) await at.ok("SendMessage", say(text), as("paying"));
  });

  it("throttles a peer that guesses credentials, right guesses too, and logs the failures (A2A-13.4-k)", async () => {
    const trail: AuditEntry[] = [];
    let now = 0;
    await using at = await host(binding, echo, {
      auth,
      rateLimit: tokenBucket({ perSecond: 1, burst: 3, count: "failures", now: () => now }),
      audit: (entry) => void trail.push(entry),
    });
    // Calls of those who are who they say do not count.
    for (const text of ["1", "2", "3", "4"]) await at.ok("SendMessage", say(text), as("ann"));
    const statuses: number[] = [];
    for (let guess = 0; guess < 5; guess += 1) {
      statuses.push(await statusAs(at, "wrong"));
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect((await at.call("SendMessage", say("hi"), as("ann"))).status).toBe(429);
    now += 1_000;
    await at.ok("SendMessage", say("hi"), as("ann"));
    expect(trail.map(({ outcome }) => outcome)).toEqual([
      ...["ok", "ok", "ok", "ok", "UNAUTHENTICATED", "UNAUTHENTICATED", "UNAUTHENTICATED"],
      ...["RESOURCE_EXHAUSTED", "RESOURCE_EXHAUSTED", "RESOURCE_EXHAUSTED", "ok"],
    ]);
    expect(trail[4]).toMatchObject({ principal: undefined, peer: "127.0.0.1" });
  });
});

it("a throttled peer learns nothing of a guess by naming a version that is not served (A2A-13.4-k)", async () => {
  await using at = await host("JSONRPC", echo, {
    auth,
    rateLimit: tokenBucket({ perSecond: 1, burst: 2, count: "failures", now: () => 0 }),
  });
  // The id is echoed to callers who are known, and only to them.
  const idAs = async (name: string): Promise<unknown> => {
    const headers = { "a2a-version": "9.9", "content-type": "application/json", ...as(name) };
    const body = JSON.stringify({ jsonrpc: "2.0", id: "mine", method: "ListTasks", params: {} });
    const answer = (await (await fetch(at.url, { method: "POST", headers, body })).json()) as Record<
      string,
      unknown
    >;
    expect(answer["error"]).toMatchObject({ code: -32009 });
    return answer["id"];
  };
  expect(await idAs("ann")).toBe("mine");
  expect([await idAs("wrong"), await idAs("wrong")]).toEqual([null, null]);
  expect(await idAs("ann")).toBe(null);
});

describe.each(bindings)("the audit trail over %s", (binding) => {
  it("has every operation with its caller and outcome, and no secret (A2A-13.4-l, A2A-13.4-n, A2A-13.4-m)", async () => {
    const trail: AuditEntry[] = [];
    await using at = await host(binding, echo, { auth, audit: (entry) => void trail.push(entry) });
    const { task } = await at.ok("SendMessage", say("my secret"), as("ann"));
    await at.call("CancelTask", { id: task.id }, as("ann"));
    await at.call("GetTask", { id: task.id }, as("eve"));
    await at.call("SendMessage", { message: {} }, as("ann"));
    const stream = await at.stream("SendStreamingMessage", say("hi"), as("ann"));
    await stream.rest();
    const peer = "127.0.0.1";
    const [ann, eve] = [{ id: "ann" }, { id: "eve" }];
    expect(trail).toEqual([
      { method: "SendMessage", principal: ann, peer, outcome: "ok" },
      { method: "CancelTask", principal: ann, peer, outcome: "TASK_NOT_CANCELABLE" },
      { method: "GetTask", principal: eve, peer, outcome: "TASK_NOT_FOUND" },
      { method: "SendMessage", principal: ann, peer, outcome: "INVALID_PARAMS" },
      { method: "SendStreamingMessage", principal: ann, peer, outcome: "ok" },
    ]);
    expect(JSON.stringify(trail)).not.toMatch(/Bearer|my secret/);
  });

  it("changes nothing where it throws itself", async () => {
    const logged: string[] = [];
    const ignore = (): void => undefined;
    await using at = await host(binding, echo, {
      logger: { debug: ignore, info: ignore, warn: ignore, error: (message) => void logged.push(message) },
      audit: () => {
        throw new Error("disk full");
      },
    });
    await at.ok("SendMessage", say("hi"));
    expect(logged).toEqual(["a2a: the audit failed"]);
  });
});

describe("tokenBucket", () => {
  it("lets a burst pass, then so many a second, and says when to come again", () => {
    let now = 0;
    const limit = tokenBucket({ perSecond: 2, burst: 3, now: () => now });
    const ask = () => limit(info());
    expect([ask(), ask(), ask()]).toEqual([undefined, undefined, undefined]);
    expect(ask()).toEqual({ retryAfterMs: 500 });
    now += 499;
    expect(ask()).toMatchObject({ retryAfterMs: expect.closeTo(1, 3) as number });
    now += 1;
    expect(ask()).toBeUndefined();
    expect(ask()).toEqual({ retryAfterMs: 500 });
    now += 1e9;
    expect([ask(), ask(), ask()]).toEqual([undefined, undefined, undefined]);
    expect(ask()).toEqual({ retryAfterMs: 500 });
  });

  it("keeps callers apart: by principal, else by address", () => {
    const limit = tokenBucket({ perSecond: 1, burst: 1, now: () => 0 });
    expect(limit(info({ principal: "ann" }))).toBeUndefined();
    expect(limit(info({ principal: { sub: "ann" } }))).toBeDefined();
    expect(limit(info({ principal: { sub: "bob" } }))).toBeUndefined();
    expect(limit(info())).toBeUndefined();
    expect(limit(info())).toBeDefined();
    expect(limit(info({ peer: { address: "10.0.0.2" } }))).toBeUndefined();
    expect(limit(info({ peer: undefined }))).toBeUndefined();
    expect(limit(info({ peer: undefined }))).toBeUndefined();
  });

  it("keeps so many buckets and forgets the one that was used longest ago", () => {
    const limit = tokenBucket({ perSecond: 1, burst: 1, maxKeys: 2, now: () => 0 });
    const ask = (principal: string) => limit(info({ principal }));
    expect(ask("a")).toBeUndefined();
    expect(ask("b")).toBeUndefined();
    expect(ask("a")).toBeDefined();
    expect(ask("c")).toBeUndefined();
    expect(ask("a")).toBeDefined();
    expect(ask("b")).toBeUndefined();
  });

  it("refuses numbers that mean nothing", () => {
    expect(() => tokenBucket({ perSecond: 0 })).toThrow(/perSecond/);
    expect(() => tokenBucket({ perSecond: 1, burst: Number.NaN })).toThrow(/burst/);
  });
});

it("of several limits each is asked in turn, and the first that refuses is told (A2A-13.4-p)", async () => {
  const asked: string[] = [];
  const limit = (name: string, retryAfterMs?: number) => () => {
    asked.push(name);
    return retryAfterMs === undefined ? undefined : { retryAfterMs };
  };
  const server = createServer(echo, {
    logger: quiet,
    rateLimit: [limit("a"), limit("b", 2_001), limit("c", 9_000)],
  });
  const reply = await server.fetch(
    new Request("http://localhost/tasks", { headers: { "a2a-version": "1.0" } }),
  );
  expect([reply.status, reply.headers.get("retry-after")]).toEqual([429, "3"]);
  expect(asked).toEqual(["a", "b"]);
});
