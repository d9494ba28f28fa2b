/** Bodies that are asked for, and replies that begin, when their stream is over already: a stream says so once. */
import express, { json } from "express";
import { once } from "node:events";
import { createServer as createHttp, type Server } from "node:http";
import { connect as connectHttp2, createServer as createHttp2, type Http2Server } from "node:http2";
import { connect, type AddressInfo, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { a2a } from "../../src/adapter/express.js";
import { createNodeHandler } from "../../src/adapter/node.js";
import { isA2AError } from "../../src/errors.js";
import type { HttpHandler } from "../../src/http/types.js";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** The port of a server that listens, or is about to. */
async function portOf(server: Server | Http2Server): Promise<number> {
  closing.push(() => {
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
  });
  if (!server.listening) await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  closing.push(() => socket.destroy());
  await once(socket, "connect");
  return socket;
}

const head = (length: number): string =>
  `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${String(length)}\r\n\r\n`;

/** A handler that asks for the body when the caller is gone, as one does that authenticates callers elsewhere. */
function lateReader() {
  let begun = false;
  const outcome: string[] = [];
  const handle: HttpHandler = async (request) => {
    const { signal } = request;
    begun = true;
    await new Promise((gone) => {
      signal.addEventListener("abort", gone);
    });
    try {
      await request.body(1_000);
      outcome.push("read");
    } catch (error) {
      outcome.push(isA2AError(error) ? error.reason : String(error));
    }
    return { status: 200, headers: {}, body: "" };
  };
  const begins = async (): Promise<void> => {
    while (!begun) await turn();
  };
  const ends = async (): Promise<readonly string[]> => {
    while (outcome.length === 0) await turn();
    return outcome;
  };
  return { handle, begins, ends };
}

describe("the caller has gone away", () => {
  it.each([
    ["a part of it had come", "{"],
    ["all of it had come", "{}"],
  ])("%s: it fails", async (_, sent) => {
    const { handle, begins, ends } = lateReader();
    const socket = await open(await portOf(createHttp(createNodeHandler(handle)).listen(0, "127.0.0.1")));
    socket.write(head(2) + sent);
    await begins();
    socket.resetAndDestroy();
    expect(await ends()).toEqual(["ABORTED"]);
  });

  it("over HTTP/2, likewise", async () => {
    const { handle, begins, ends } = lateReader();
    const port = await portOf(createHttp2(createNodeHandler(handle)).listen(0, "127.0.0.1"));
    const session = connectHttp2(`http://127.0.0.1:${String(port)}`);
    closing.push(() => session.destroy());
    const stream = session.request({ ":method": "POST", ":path": "/" });
    stream.on("error", () => undefined);
    stream.write("{");
    await begins();
    stream.close(8);
    expect(await ends()).toEqual(["ABORTED"]);
  });
});

it("a stream whose caller over HTTP/2 has gone away before it began is ended", async () => {
  let begun = false;
  let ended = false;
  const body: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => undefined),
      return: async () => {
        ended = true;
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
  };
  const handle: HttpHandler = async ({ signal }) => {
    begun = true;
    await new Promise((gone) => {
      signal.addEventListener("abort", gone);
    });
    return { status: 200, headers: { "content-type": "text/event-stream" }, body };
  };
  const port = await portOf(createHttp2(createNodeHandler(handle)).listen(0, "127.0.0.1"));
  const session = connectHttp2(`http://127.0.0.1:${String(port)}`);
  closing.push(() => session.destroy());
  const stream = session.request({ ":path": "/" });
  stream.on("error", () => undefined);
  while (!begun) await turn();
  stream.close(8);
  while (!ended) await turn();
});

it("an empty one that a body parser has read is empty", async () => {
  const handle: HttpHandler = async (request) => {
    const body = await request.body(1_000);
    return { status: 200, headers: {}, body: typeof body === "string" ? `text:${body}` : "parsed" };
  };
  const app = express();
  app.use(json(), ...a2a(handle));
  const socket = await open(await portOf(app.listen(0, "127.0.0.1")));
  let come = "";
  socket.setEncoding("utf8").on("data", (piece: string) => (come += piece));
  socket.write(head(0));
  while (!/\r\n\r\n./.test(come)) await once(socket, "data");
  expect(come).toMatch(/^HTTP\/1\.1 200 [^]*\r\n\r\ntext:$/);
});
