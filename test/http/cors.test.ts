/** CORS, health, HSTS: what lies before the bindings. */
import { afterEach, describe, expect, it } from "vitest";
import { createServer, memoryStore, serve, type ServeOptions, type TaskStore } from "../../src/server.js";
import { bindings, callerOf, say } from "../rules/support.js";
import { agentOf, quiet } from "../server/agents.js";

const echo = agentOf((_, { parts }) => Promise.resolve(parts[0]?.text ?? "nothing"));
const page = { origin: "https://app.example.com" };
const open: { close(): Promise<void> }[] = [];
const start = async (options: Partial<ServeOptions>) => {
  const server = await serve(echo, { port: 0, logger: quiet, sweepMs: 0, ...options });
  open.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const preflight = (url: string, origin = page.origin) =>
  fetch(url, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization",
    },
  });

describe("CORS", () => {
  it("is off by default", async () => {
    const { url } = await start({});
    const reply = await fetch(`${url}/.well-known/agent-card.json`, { headers: page });
    expect(reply.headers.get("access-control-allow-origin")).toBeNull();
    expect((await preflight(url)).status).toBe(405);
  });

  it("answers preflights of every route with 204 and what is allowed", async () => {
    const { url } = await start({ cors: { origins: [page.origin], headers: ["x-api-key"], maxAge: 60 } });
    for (const path of [
      "",
      "/message:send",
      "/tasks/1",
      "/v1/message:send",
      "/.well-known/agent-card.json",
    ]) {
      const reply = await preflight(url + path);
      expect(reply.status).toBe(204);
      expect(await reply.text()).toBe("");
      expect(reply.headers.get("access-control-allow-origin")).toBe(page.origin);
      expect(reply.headers.get("access-control-allow-methods")).toMatch(/GET.*POST.*DELETE/);
      const allowed = reply.headers.get("access-control-allow-headers")?.split(", ");
      for (const name of ["content-type", "authorization", "a2a-version", "a2a-extensions", "last-event-id"])
        expect(allowed).toContain(name);
      expect(allowed).toContain("x-api-key");
      expect(reply.headers.get("access-control-max-age")).toBe("60");
      expect(reply.headers.get("vary")).toBe("Origin");
    }
    const foreign = await preflight(url, "https://evil.example.com");
    expect(foreign.status).toBe(204);
    expect(foreign.headers.get("access-control-allow-origin")).toBeNull();
    expect(foreign.headers.get("access-control-allow-methods")).toBeNull();
  });

  it("decides by a function, and lets credentials through where that is asked for", async () => {
    const origins = (origin: string): boolean => origin.endsWith(".example.com");
    const { url } = await start({ cors: { origins, credentials: true } });
    const reply = await fetch(`${url}/.well-known/agent-card.json`, { headers: page });
    expect(reply.headers.get("access-control-allow-origin")).toBe(page.origin);
    expect(reply.headers.get("access-control-allow-credentials")).toBe("true");
    const other = await fetch(`${url}/.well-known/agent-card.json`, { headers: { origin: "https://x.org" } });
    expect(other.headers.get("access-control-allow-origin")).toBeNull();
    expect(other.headers.get("vary")).toMatch(/Origin/);
  });

  it("refuses credentials for every origin", () => {
    const make = (cors: ServeOptions["cors"]) => () =>
      createServer(echo, { logger: quiet, cors: cors ?? true });
    expect(make({ credentials: true })).toThrow(/credentials/);
    expect(make({ origins: ["*"], credentials: true })).toThrow(/credentials/);
  });
});

describe.each(bindings)("CORS over %s", (binding) => {
  it("is on replies, errors and streams, with the headers that pages may read", async () => {
    const { url } = await start({ cors: { origins: [page.origin] } });
    const at = callerOf(url, binding);
    const good = await at.call("SendMessage", say("hi"), page);
    const bad = await at.call("GetTask", { id: "none" }, page);
    const stream = await at.stream("SendStreamingMessage", say("hi"), page);
    await stream.rest();
    const nowhere = await fetch(`${url}/no/such/route`, { headers: page });
    for (const { headers } of [good, bad, stream, nowhere]) {
      expect(headers.get("access-control-allow-origin")).toBe(page.origin);
      expect(headers.get("vary")).toMatch(/(^|, )Origin$/);
      const exposed = headers.get("access-control-expose-headers")?.split(", ");
      for (const name of ["a2a-extensions", "etag", "retry-after", "www-authenticate"])
        expect(exposed).toContain(name);
    }
    if (binding === "HTTP+JSON") expect(good.headers.get("vary")).toMatch(/A2A-Version.*Origin/);
  });

  it("is for all pages with true, and then no Vary is needed", async () => {
    const { url } = await start({ cors: true });
    const reply = await callerOf(url, binding).call("SendMessage", say("hi"), page);
    expect(reply.headers.get("access-control-allow-origin")).toBe("*");
    expect(reply.headers.get("vary") ?? "").not.toMatch(/Origin/);
  });
});

describe("health", () => {
  it("answers for liveness and readiness without authentication, never cached", async () => {
    const auth = () => {
      throw new Error("nobody");
    };
    const { url } = await start({ health: true, auth, basePath: "/a2a" });
    for (const path of ["/healthz", "/readyz"]) {
      const reply = await fetch(new URL(path, url));
      expect(reply.status).toBe(200);
      expect(await reply.json()).toEqual({ status: "ok" });
      expect(reply.headers.get("cache-control")).toBe("no-store");
      expect(reply.headers.get("content-type")).toBe("application/json");
    }
    const head = await fetch(new URL("/readyz", url), { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect((await fetch(new URL("/healthz", url), { method: "POST" })).status).toBe(404);
  });

  it("is not there unless asked for, and at other paths where told", async () => {
    expect((await fetch(new URL("/healthz", (await start({})).url))).status).toBe(404);
    const { url } = await start({ health: { live: "/up" } });
    expect((await fetch(`${url}/up`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await fetch(`${url}/healthz`)).status).toBe(404);
  });

  it("is not ready while the store fails, and says nothing of why", async () => {
    const memory = memoryStore();
    const store: TaskStore = Object.assign(Object.create(memory) as TaskStore, {
      read: () => Promise.reject(new Error("ECONNREFUSED db.internal:5432")),
    });
    const { url } = await start({ health: true, store });
    const ready = await fetch(`${url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toEqual({ status: "unavailable" });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it("is not ready while the server shuts down", async () => {
    const server = createServer(echo, { health: true, logger: quiet });
    const ask = (path: string) => server.fetch(new Request(`http://localhost${path}`));
    expect((await ask("/readyz")).status).toBe(200);
    await server.close();
    const ready = await ask("/readyz");
    expect(ready.status).toBe(503);
    expect(await ready.json()).toEqual({ status: "draining" });
    expect((await ask("/healthz")).status).toBe(200);
  });
});

describe.each(bindings)("headers of every reply over %s", (binding) => {
  it("has Strict-Transport-Security where the public URL is https, unless switched off (A2A-13.4-c)", async () => {
    const of = async (options: Partial<ServeOptions>) => {
      const { port } = await start(options);
      const local = callerOf(`http://127.0.0.1:${String(port)}`, binding);
      const replies = [
        await local.call("SendMessage", say("hi")),
        await local.call("GetTask", { id: "none" }),
      ];
      return replies.map(({ headers }) => headers.get("strict-transport-security"));
    };
    const url = "https://agent.example.com";
    expect(await of({})).toEqual([null, null]);
    expect(await of({ url })).toEqual(["max-age=31536000", "max-age=31536000"]);
    expect(await of({ url, hsts: false })).toEqual([null, null]);
    const hsts = { maxAge: 60, includeSubDomains: true, preload: true };
    expect((await of({ hsts }))[0]).toBe("max-age=60; includeSubDomains; preload");
  });

  it("says nosniff and nothing of the software behind it", async () => {
    const { url } = await start({});
    const at = callerOf(url, binding);
    const replies = [
      await at.call("SendMessage", say("hi")),
      await at.call("GetTask", { id: "none" }),
      await fetch(`${url}/none`),
      await fetch(`${url}/.well-known/agent-card.json`),
      await at.stream("SendStreamingMessage", say("hi")),
    ];
    for (const { headers } of replies) {
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      for (const name of ["server", "x-powered-by", "via"]) expect(headers.get(name)).toBeNull();
    }
  });
});
