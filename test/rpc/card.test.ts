import { describe, expect, it } from "vitest";
import { createCardDocuments } from "../../src/card/card-document.js";
import { JsonText } from "../../src/json-text.js";
import { ask, serve } from "./support.js";

const path = "/.well-known/agent-card.json";
const card = { name: "Ünïcode €", capabilities: {} };

describe("the card endpoint", () => {
  it("answers without a version header, cacheable, as application/json (A2A-8.1-a, A2A-8.2-a, A2A-8.6.1-a, A2A-14.3-a)", async () => {
    await using server = await serve({}, { card });
    const reply = await ask(server, path);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual(card);
    expect(reply.headers).toMatchObject({
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(reply.text)),
      "cache-control": "public, max-age=3600",
      etag: expect.stringMatching(/^"[0-9a-f-]+"$/),
      vary: "A2A-Version",
      "x-content-type-options": "nosniff",
    });
    const modified = Date.parse(reply.headers["last-modified"] ?? "");
    expect(Math.abs(Date.now() - modified)).toBeLessThan(60_000);
  });

  it("HEAD has the headers and no body", async () => {
    await using server = await serve({}, { card, cardMaxAge: 5 });
    const get = await ask(server, path);
    const head = await ask(server, path, { method: "HEAD" });
    expect(head).toMatchObject({ status: 200, text: "" });
    for (const name of ["etag", "content-length", "content-type", "last-modified"]) {
      expect(head.headers[name]).toBe(get.headers[name]);
    }
    expect(head.headers["cache-control"]).toBe("public, max-age=5");
  });

  it("lies at the origin and below the base path, and is below no other", async () => {
    await using server = await serve({}, { card, basePath: "/a2a" });
    expect((await ask(server, path)).json).toEqual(card);
    expect((await ask(server, `/a2a${path}?x=1`)).json).toEqual(card);
    expect((await ask(server, `/other${path}`)).status).toBe(404);
  });

  it("is 404 where there is no card, 405 for other verbs", async () => {
    await using none = await serve({});
    expect((await ask(none, path)).status).toBe(404);
    await using server = await serve({}, { card });
    expect(await ask(server, path, { method: "POST" })).toMatchObject({
      status: 405,
      headers: { allow: "GET, HEAD" },
      json: { error: { code: 405 } },
    });
  });

  it("revalidates by tag, else by date (A2A-8.6.1-b, A2A-8.6.1-c)", async () => {
    await using server = await serve({}, { card });
    const { headers } = await ask(server, path);
    const etag = headers.etag ?? "";
    const modified = headers["last-modified"] ?? "";
    const earlier = new Date(Date.parse(modified) - 1000).toUTCString();
    const status = async (given: Record<string, string>) =>
      (await ask(server, path, { headers: given })).status;
    expect(await status({ "if-none-match": etag })).toBe(304);
    expect(await status({ "if-none-match": `"x", W/${etag}` })).toBe(304);
    expect(await status({ "if-none-match": "*" })).toBe(304);
    expect(await status({ "if-none-match": '"x"' })).toBe(200);
    expect(await status({ "if-none-match": '"x"', "if-modified-since": modified })).toBe(200);
    expect(await status({ "if-modified-since": modified })).toBe(304);
    expect(await status({ "if-modified-since": earlier })).toBe(200);
    expect(await status({ "if-modified-since": "soon" })).toBe(200);
    const fresh = await ask(server, path, { headers: { "if-none-match": etag } });
    expect(fresh.text).toBe("");
    expect(fresh.headers).toMatchObject({
      etag,
      "cache-control": "public, max-age=3600",
      "last-modified": modified,
    });
    expect(fresh.headers["content-type"]).toBeUndefined();
  });

  it("a changed card gets a new tag; a function gives the card", async () => {
    let version = 1;
    await using server = await serve({}, { card: () => ({ ...card, version: String(version) }) });
    const first = await ask(server, path);
    expect((await ask(server, path)).headers.etag).toBe(first.headers.etag);
    version = 2;
    const second = await ask(server, path, { headers: { "if-none-match": first.headers.etag ?? "" } });
    expect(second).toMatchObject({ status: 200, json: { version: "2" } });
    expect(second.headers.etag).not.toBe(first.headers.etag);
  });

  it("a failing function is a JSON error without its text", async () => {
    await using server = await serve(
      {},
      {
        card: () => {
          throw new Error("secret");
        },
      },
    );
    const reply = await ask(server, path);
    expect(reply).toMatchObject({
      status: 500,
      json: { error: { status: "INTERNAL", message: "Internal error" } },
    });
    expect(server.log).toHaveLength(1);
  });
});

describe("card documents", () => {
  it("keep tag and date while the text is the same", () => {
    let now = 1_700_000_000_999;
    const documentOf = createCardDocuments(() => now);
    const first = documentOf({ a: 1 });
    expect(first.modified.toISOString()).toBe("2023-11-14T22:13:20.000Z");
    now += 60_000;
    expect(documentOf({ a: 1 })).toBe(first);
    const second = documentOf({ a: 2 });
    expect(second.etag).not.toBe(first.etag);
    expect(second.modified.getTime() - first.modified.getTime()).toBe(60_000);
  });

  it("take encoded text, and count bytes", () => {
    const { text, bytes } = createCardDocuments()(new JsonText('{"name":"€"}'));
    expect([text, bytes]).toEqual(['{"name":"€"}', 14]);
  });

  it("tags differ for every small change", () => {
    const documentOf = createCardDocuments();
    const tags = new Set(Array.from({ length: 5000 }, (_, n) => documentOf({ version: `1.0.${n}` }).etag));
    expect(tags.size).toBe(5000);
  });
});
