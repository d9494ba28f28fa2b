/** The chunks of HTTP/1.1 in which a stream goes to a socket, byte for byte. */
import { createServer, type ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { createGzip, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createNodeHandler } from "../../src/adapter/node.js";
import type { HttpHandler } from "../../src/http/types.js";

/** Texts whose lengths in bytes and in characters differ, and one that is empty. */
const TEXTS = [
  "data: plain\n\n",
  "",
  "data: é 中 😀\n\n",
  `data: ${"ü".repeat(20_000)}\n\n`,
  "data: end\n\n",
];

const handle: HttpHandler = async () => ({
  status: 200,
  headers: { "content-type": "text/event-stream" },
  body: (async function* () {
    yield* TEXTS;
  })(),
});

interface Served extends AsyncDisposable {
  /** All bytes that a connection gets for this, until the server closes it. */
  ask(request: string): Promise<Buffer>;
}

/** A server; `wrap` is what stands between Node and the adapter. */
async function serve(wrap: (response: ServerResponse) => void = () => undefined): Promise<Served> {
  const answer = createNodeHandler(handle);
  const server = createServer((request, response) => {
    wrap(response);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        const pieces: Buffer[] = [];
        const socket = connect(port, "127.0.0.1");
        socket.on("data", (bytes: Buffer) => pieces.push(bytes)).on("error", reject);
        socket.on("end", () => resolve(Buffer.concat(pieces)));
        socket.write(request);
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const get = (more = "Connection: close\r\n", version = "1.1"): string =>
  `GET / HTTP/${version}\r\nHost: x\r\n${more}\r\n`;

/** The chunks of one response, and what comes after it. */
function read(bytes: Buffer): { head: string; chunks: Buffer[]; rest: Buffer } {
  let at = bytes.indexOf("\r\n\r\n") + 4;
  const head = bytes.subarray(0, at).toString("latin1");
  const chunks: Buffer[] = [];
  for (;;) {
    const line = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.subarray(at, line).toString("latin1"), 16);
    const end = line + 2 + size;
    expect(bytes.subarray(end, end + 2).toString("latin1")).toBe("\r\n");
    at = end + 2;
    if (size === 0) return { head, chunks, rest: bytes.subarray(at) };
    chunks.push(bytes.subarray(line + 2, end));
  }
}

describe("chunks", () => {
  it("have the length of their bytes, none is empty but the last, and the connection serves a further request", async () => {
    await using server = await serve();
    const bytes = await server.ask(get("") + get());
    const first = read(bytes);
    const second = read(first.rest);
    for (const { head, chunks } of [first, second]) {
      expect(head).toContain("Transfer-Encoding: chunked");
      expect(chunks.map(String)).toEqual(TEXTS.filter((text) => text !== ""));
    }
    expect(second.rest).toHaveLength(0);
  });

  it("are not made for HTTP/1.0, which has none", async () => {
    await using server = await serve();
    const text = (await server.ask(get("", "1.0"))).toString();
    expect(text.slice(text.indexOf("\r\n\r\n") + 4)).toBe(TEXTS.join(""));
  });

  it("are left to Node where somebody stands in between", async () => {
    await using server = await serve((response) => {
      const { write, end } = response;
      const gzip = createGzip();
      gzip.on("data", (bytes: Buffer) => write.call(response, bytes, "utf8", () => undefined));
      gzip.on("end", () => end.call(response, undefined, "utf8"));
      response.write = (chunk: string | Uint8Array): boolean => {
        gzip.write(chunk);
        return true;
      };
      response.end = (): ServerResponse => {
        gzip.end();
        return response;
      };
    });
    const { chunks, rest } = read(await server.ask(get()));
    expect(gunzipSync(Buffer.concat(chunks)).toString()).toBe(TEXTS.join(""));
    expect(rest).toHaveLength(0);
  });

  it("are the same for all who get the same text at the same time", async () => {
    await using server = await serve();
    const all = await Promise.all(Array.from({ length: 8 }, () => server.ask(get())));
    for (const bytes of all)
      expect(read(bytes).chunks.map(String)).toEqual(TEXTS.filter((text) => text !== ""));
  });
});
