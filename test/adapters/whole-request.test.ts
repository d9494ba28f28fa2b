/** Bodies of requests as `listen` reads them: as one text, whenever that is asked for, or as the stream they are. */
import { once } from "node:events";
import { IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { listen, type Listening } from "../../src/adapter/node-listen.js";
import { WholeRequest } from "../../src/adapter/whole-request.js";
import { isA2AError } from "../../src/errors.js";
import type { HttpHandler, HttpRequest } from "../../src/http/types.js";

const LIMIT = 1_000_000;
let listening: Listening | undefined;
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listening?.close(0);
});

const text = (body: string) => ({ status: 200, headers: {}, body });
const bodyOf = async (request: HttpRequest): Promise<string> => {
  const body = await request.body(LIMIT);
  return typeof body === "string" ? body : JSON.stringify(body.json);
};
const echo: HttpHandler = async (request) => {
  try {
    return text(await bodyOf(request));
  } catch (error) {
    return text(isA2AError(error) ? error.reason : String(error));
  }
};

/** A connection to a server, and the next reply that comes over it. */
async function open(handle: HttpHandler, context?: (request: unknown) => unknown) {
  listening = await listen(handle, context && { context });
  const socket = connect(listening.port, "127.0.0.1");
  sockets.push(socket);
  await once(socket, "connect");
  let come = "";
  socket.setEncoding("utf8").on("data", (piece: string) => (come += piece));
  const reply = async (): Promise<string> => {
    for (;;) {
      const [all, length = ""] = /^HTTP\/1\.1 200[^]*?content-length: (\d+)[^]*?\r\n\r\n/i.exec(come) ?? [];
      const bytes = Buffer.from(come.slice(all?.length));
      if (all !== undefined && bytes.length >= Number(length)) {
        come = bytes.subarray(Number(length)).toString();
        return bytes.subarray(0, Number(length)).toString();
      }
      await once(socket, "data");
    }
  };
  return { socket, reply };
}

const head = (length: number | "chunked", verb = "POST"): string =>
  `${verb} / HTTP/1.1\r\nHost: x\r\n${length === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${String(length)}`}\r\n\r\n`;
const chunk = (body: string): string => `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n`;

describe("as text", () => {
  it("is what was sent, in one piece or many, with a declared length or none", async () => {
    const { socket, reply } = await open(echo);
    socket.write(head(5) + "whole");
    expect(await reply()).toBe("whole");
    const bytes = Buffer.from("\uFEFFé中😀");
    socket.write(head(bytes.length));
    for (const byte of bytes) {
      socket.write(Buffer.of(byte));
      await turn();
    }
    expect(await reply()).toBe("é中😀");
    socket.write(head("chunked") + chunk("a") + chunk("b".repeat(100_000)) + "0\r\n\r\n");
    expect(await reply()).toBe(`a${"b".repeat(100_000)}`);
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(await reply()).toBe("");
  });

  it("is refused where it is no UTF-8; the character for what cannot be read may be meant", async () => {
    const { socket, reply } = await open(echo);
    socket.write(Buffer.concat([Buffer.from(head(2)), Buffer.of(0xc3, 0x28)]));
    expect(await reply()).toBe("PARSE_ERROR");
    socket.write(head(3) + "\uFFFD");
    expect(await reply()).toBe("\uFFFD");
  });

  it("waits for requests that were sent ahead", async () => {
    const { socket, reply } = await open(echo);
    socket.write(head(1) + "1" + head(1) + "2" + head("chunked") + chunk("3") + "0\r\n\r\n");
    expect([await reply(), await reply(), await reply()]).toEqual(["1", "2", "3"]);
  });

  it("may be asked for when all of it is there, or so much that no more is read", async () => {
    let ask: (() => void) | undefined;
    const { socket, reply } = await open(async (request) => {
      await new Promise<void>((resolve) => (ask = resolve));
      return echo(request);
    });
    const asked = async (until: () => boolean): Promise<void> => {
      while (ask === undefined || !until()) await turn();
      ask();
      ask = undefined;
    };
    socket.write(head(5) + "early");
    await asked(() => true);
    expect(await reply()).toBe("early");
    // More than the buffers of both sockets hold: the rest stays with the sender until it is asked for.
    const large = "x".repeat(LIMIT);
    const requests = 12;
    for (let n = 0; n < requests; n++) socket.write(head(LIMIT) + large);
    let left = 0;
    let still = 0;
    await asked(() => {
      still = socket.writableLength === left ? still + 1 : 0;
      left = socket.writableLength;
      return still === 100;
    });
    expect(left).toBeGreaterThan(0);
    expect(await reply()).toBe(large);
    for (let n = 1; n < requests; n++) {
      await asked(() => true);
      expect(await reply()).toBe(large);
    }
  });

  it("is refused beyond the limit, and what follows on the connection is answered", async () => {
    const { socket, reply } = await open(echo);
    socket.write(head(LIMIT + 1));
    expect(await reply()).toBe("PAYLOAD_TOO_LARGE");
    socket.write("x".repeat(LIMIT + 1) + head("chunked") + chunk("y".repeat(LIMIT + 1)));
    expect(await reply()).toBe("PAYLOAD_TOO_LARGE");
    socket.write(`${chunk("more")}0\r\n\r\n${head(2)}ok`);
    expect(await reply()).toBe("ok");
  });

  it("need not be asked for: what follows on the connection is answered", async () => {
    const { socket, reply } = await open(async ({ url }) => text(url));
    socket.write(head(4) + "skip" + head(LIMIT));
    expect([await reply(), await reply()]).toEqual(["/", "/"]);
    socket.write("z".repeat(LIMIT) + head(0));
    expect(await reply()).toBe("/");
  });

  it("fails where the caller goes away before its end", async () => {
    let body: Promise<string> | undefined;
    const { socket } = await open(async (request) => {
      body = bodyOf(request);
      return text(await body);
    });
    socket.write(`${head(10)}half`);
    while (body === undefined) await turn();
    socket.destroy();
    await expect(body).rejects.toMatchObject({ reason: "ABORTED" });
  });
});

describe("as a stream", () => {
  it("is read by whoever is given the request, and by the handler too", async () => {
    const read: string[] = [];
    const { socket, reply } = await open(echo, (request) => {
      if (!(request instanceof WholeRequest)) throw new Error("another request");
      request.on("data", (bytes: Buffer) => read.push(bytes.toString()));
      request.on("end", () => read.push("end"));
    });
    socket.write(head(3) + "two");
    expect(await reply()).toBe("two");
    expect(read).toEqual(["two", "end"]);
  });

  it("has what came before it was read, and its end", async () => {
    const requests: HttpRequest[] = [];
    const { socket, reply } = await open(
      async (request) => {
        requests.push(request);
        await turn();
        let all = "";
        if (request.context instanceof IncomingMessage) {
          for await (const piece of request.context) all += String(piece);
        }
        return text(all);
      },
      (request) => request,
    );
    socket.write(head("chunked") + chunk("first"));
    while (requests.length === 0) await turn();
    socket.write(`${chunk(" second")}0\r\n\r\n`);
    expect(await reply()).toBe("first second");
  });
});
