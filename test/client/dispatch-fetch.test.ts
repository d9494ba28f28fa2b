import { once } from "node:events";
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { defaultFetch } from "../../src/client/default-fetch.js";
import type { FetchInit, FetchLike } from "../../src/client/fetch-like.js";
import { head, misbehave, type RawRequest, type RawServer } from "./misbehaving-server.js";

const text = "Grüße, ".repeat(5_000);
const bytes = Buffer.from(text);

/** A reply with these headers and this body, whose length is told. */
const whole = (headers: Record<string, string>, body: Uint8Array | string = "", status?: string) =>
  Buffer.concat([
    Buffer.from(head({ ...headers, "content-length": String(Buffer.byteLength(body)) }, status), "latin1"),
    Buffer.from(body),
  ]);
const coded = (coding: string, body: Uint8Array) => whole({ "content-encoding": coding }, body);
/** As `coded`, and ends with the connection. */
const open = (coding: string, body: Uint8Array) =>
  Buffer.concat([Buffer.from(head({ "content-encoding": coding, connection: "close" })), body]);

const replies: Readonly<Record<string, Uint8Array>> = {
  text: whole({ "content-type": "text/plain; charset=utf-8" }, text),
  "an empty body": whole({}),
  "204": Buffer.from(head({}, "204 No Content")),
  "204 that says gzip": Buffer.from(head({ "content-encoding": "gzip" }, "204 No Content")),
  "304": Buffer.from(head({ etag: '"1"' }, "304 Not Modified")),
  "a redirect, unfollowed": whole({ location: "/elsewhere" }, "see there", "302 Found"),
  "a redirect to nowhere": whole({}, "", "301 Moved Permanently"),
  "an error": whole({ "retry-after": "3" }, "later", "503 Service Unavailable"),
  "two cookies": Buffer.from(
    "HTTP/1.1 200 OK\r\nset-cookie: a=1\r\nset-cookie: b=2\r\ncontent-length: 0\r\n\r\n",
  ),
  "bytes above ASCII in a header": whole({ "x-name": "caf\u00e9" }),
  "chunks and a trailer": Buffer.from(
    `${head({ "transfer-encoding": "chunked", trailer: "x-sum" })}5\r\nhello\r\n0\r\nx-sum: 1\r\n\r\n`,
  ),
  "chunks that are cut": Buffer.from(`${head({ "transfer-encoding": "chunked" })}5\r\nhel`),
  "less than its length": Buffer.from(`${head({ "content-length": "50" })}hello`),
  "no HTTP": Buffer.from("220 mail.example.com ESMTP\r\n"),
  nothing: Buffer.from(""),
  "half a header": Buffer.from("HTTP/1.1 200 OK\r\ncontent-ty"),
  gzip: coded("gzip", gzipSync(bytes)),
  "gzip by its old name": coded("X-GZIP", gzipSync(bytes)),
  "gzip in two members": coded("gzip", Buffer.concat([gzipSync("one, "), gzipSync("two")])),
  "gzip that ends early": coded("gzip", gzipSync(bytes).subarray(0, -20)),
  "gzip that is cut": Buffer.concat([
    Buffer.from(head({ "content-encoding": "gzip", "content-length": "9999" })),
    gzipSync(bytes),
  ]),
  "gzip with something after it": coded("gzip", Buffer.concat([gzipSync(bytes), Buffer.from("more")])),
  "no gzip that says so": coded("gzip", bytes),
  "gzip that breaks in the middle": coded("gzip", gzipSync(bytes).fill(0xff, 30, 60)),
  "gzip until the connection closes": open("gzip", gzipSync(bytes)),
  "an empty body that says gzip": coded("gzip", Buffer.from("")),
  deflate: coded("deflate", deflateSync(bytes)),
  "deflate without its header": coded("deflate", deflateRawSync(bytes)),
  br: coded("br", brotliCompressSync(bytes)),
  "no br that says so": coded("br", Buffer.alloc(99, 0xff)),
  "gzip in br": coded("gzip, br", brotliCompressSync(gzipSync(bytes))),
  "a coding that nobody knows": coded("rot13", bytes),
  "gzip in a coding that nobody knows": coded("gzip, rot13", bytes),
};

const post = (fetch: FetchLike, url: string, init: Partial<FetchInit> = {}) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"é":1}',
    signal: new AbortController().signal,
    redirect: "manual",
    ...init,
  });

/** All that can be seen of a reply. */
async function seen(fetch: FetchLike, url: string): Promise<unknown> {
  try {
    const response = await post(fetch, url);
    if (fetch === defaultFetch) expect(response).not.toBeInstanceOf(Response);
    const known = {
      status: response.status,
      headers: [...response.headers].sort(),
      fields: cookies(response),
    };
    try {
      return { ...known, text: await response.text() };
    } catch {
      return { ...known, text: new Error("breaks") };
    }
  } catch {
    return new Error("fails");
  }
}

const cookies = ({ headers }: Awaited<ReturnType<FetchLike>>) => headers.get("Set-Cookie");

describe("the pool gives what fetch gives", () => {
  it.each(Object.entries(replies))("%s", async (_, reply) => {
    const requests: RawRequest[] = [];
    await using server = await misbehave((request) => {
      requests.push(request);
      request.socket.end(reply);
    });
    const pool = await seen(defaultFetch, server.url);
    const web = await seen(fetch, server.url);
    expect(pool).toEqual(joined(web));
    const [first, second] = requests;
    expect(first?.body).toBe(second?.body);
    await server.idle();
    expect(server.open).toBe(0);
  });
});

describe("a compressed stream", () => {
  const begun = gzipSync("data: 1\n\n", { finishFlush: constants.Z_SYNC_FLUSH });
  const begin = () =>
    misbehave(({ socket }) => {
      socket.write(head({ "content-encoding": "gzip" }));
      socket.write(begun);
    });

  it("is read as it comes, and ends its connection where nobody reads on", async () => {
    await using server = await begin();
    const reader = (await post(defaultFetch, server.url)).body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("data: 1\n\n");
    const next = reader?.read();
    await reader?.cancel();
    expect(await next).toEqual({ done: true });
    await ended(server);
  });

  it("ends with the reason of the signal", async () => {
    await using server = await begin();
    const call = new AbortController();
    const reader = (await post(defaultFetch, server.url, { signal: call.signal })).body?.getReader();
    await reader?.read();
    const next = reader?.read();
    call.abort(new Error("enough"));
    await expect(next).rejects.toThrow("enough");
    await ended(server);
  });

  it("that is none ends its connection", async () => {
    await using server = await misbehave(({ socket }) => {
      socket.write(head({ "content-encoding": "gzip" }));
      socket.write("data: 1\n\n");
    });
    const reader = (await post(defaultFetch, server.url)).body?.getReader();
    await expect(reader?.read()).rejects.toMatchObject({ code: "Z_DATA_ERROR" });
    await ended(server);
  });

  it("in more codings than five is left as it came", async () => {
    await using server = await misbehave(({ socket }) => {
      socket.end(coded("gzip, gzip, gzip, gzip, gzip, gzip", Buffer.from("text")));
    });
    expect(await (await post(defaultFetch, server.url)).text()).toBe("text");
  });
});

/** Until the connection of the first request is closed. (Node 20 opens a spare one then, which it keeps for seconds.) */
async function ended({ requests: [first] }: RawServer): Promise<void> {
  if (first?.socket.closed === false) await once(first.socket, "close");
}

/** `fetch` tells cookies apart where it lists headers; nobody here asks for them. */
function joined(outcome: unknown): unknown {
  if (outcome instanceof Error) return outcome;
  const { headers, ...rest } = outcome as { headers: [string, string][] };
  const values = new Map<string, string>();
  for (const [name, value] of headers) values.set(name, [values.get(name), value].filter(Boolean).join(", "));
  return { ...rest, headers: [...values] };
}
