/** What lies before the bindings, by itself: slots that are freed once, and a store that is asked with patience. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { withCors } from "../../src/http/cors.js";
import { withHealth } from "../../src/http/health.js";
import { createReadiness } from "../../src/http/readiness.js";
import { Slots } from "../../src/http/slots.js";
import type { HttpRequest, HttpResponse } from "../../src/http/types.js";
import { withSlots } from "../../src/http/with-slots.js";

const request = (method = "GET", url = "/", headers: Record<string, string> = {}): HttpRequest => ({
  method,
  url,
  headers,
  body: () => ({ json: {} }),
  signal: new AbortController().signal,
});
const reply = (body: HttpResponse["body"], status = 200): HttpResponse => ({ status, headers: {}, body });

async function* events(): AsyncGenerator<string> {
  await Promise.resolve();
  yield "one";
}

describe("slots", () => {
  const slots = () => {
    const handle = withSlots(
      async ({ url }) => reply(url === "/stream" ? events() : "text"),
      new Slots(1),
      async () => reply("busy", 503),
    );
    const open = async (): Promise<AsyncIterator<string>> => {
      const { body } = await handle(request("GET", "/stream"));
      if (typeof body === "string") throw new Error("no slot was free");
      return body[Symbol.asyncIterator]();
    };
    return { open, status: async () => (await handle(request())).status };
  };

  it("are free again once a stream was read to its end, or given up", async () => {
    const { open, status } = slots();
    const read = await open();
    expect(await status()).toBe(503);
    for (let step = await read.next(); step.done !== true; step = await read.next());
    expect(await status()).toBe(200);
    const left = await open();
    expect(await status()).toBe(503);
    await left.return?.();
    expect(await status()).toBe(200);
  });

  it("are freed once, however often a stream is told to end", async () => {
    const { open, status } = slots();
    const first = await open();
    for (let i = 0; i < 3; i += 1) await first.return?.();
    await first.next();
    const second = await open();
    expect(await status()).toBe(503);
    await second.return?.();
  });
});

describe("readiness", () => {
  afterEach(() => {
    vi.useRealTimers();
  });
  const ready = (check: () => unknown) => {
    const readiness = createReadiness({ state: { draining: false }, check });
    const handle = withHealth(async () => reply("other", 404), true, readiness);
    return (method = "GET") => handle(request(method, "/readyz"));
  };

  it("asks the store once a second, however often it is asked itself", async () => {
    vi.useFakeTimers();
    let asked = 0;
    const ask = ready(() => (asked += 1));
    for (let i = 0; i < 3; i += 1) expect((await ask()).status).toBe(200);
    expect(asked).toBe(1);
    vi.advanceTimersByTime(1_000);
    await ask();
    expect(asked).toBe(2);
  });

  it("is not there where the store takes longer than two seconds", async () => {
    vi.useFakeTimers();
    const asking = ready(() => new Promise(() => undefined))();
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await asking).status).toBe(503);
  });

  it("is told to HEAD without a body", async () => {
    const { status, headers, body } = await ready(() => undefined)("HEAD");
    expect([status, headers["content-length"], body]).toEqual([200, "15", ""]);
  });
});

it("OPTIONS of a page that is no preflight goes on to the bindings", async () => {
  const handle = withCors(async () => reply("no", 405), true);
  const page = { origin: "https://app.example.com" };
  expect((await handle(request("OPTIONS", "/", page))).status).toBe(405);
  const preflight = { ...page, "access-control-request-method": "POST" };
  expect((await handle(request("OPTIONS", "/", preflight))).status).toBe(204);
  expect((await handle(request("OPTIONS", "/", { "access-control-request-method": "POST" }))).status).toBe(
    405,
  );
});
