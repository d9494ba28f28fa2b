/** A reply that is a text goes to the socket in one write, and through whoever stands between Node and the adapter. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { expect, it } from "vitest";
import { createNodeHandler } from "../../src/adapter/node.js";
import type { HttpResponse } from "../../src/http/types.js";

const BODY = "é".repeat(40_000);

interface Seen {
  readonly status: number;
  readonly length: string | null;
  readonly body: string;
  /** How the socket was written to. */
  readonly writes: readonly string[];
}

/** What a reply comes to, and how; `wrap` is what stands between Node and the adapter. */
async function ask(
  reply: HttpResponse,
  { verb = "GET", wrap = () => undefined }: { verb?: string; wrap?: (response: ServerResponse) => void } = {},
): Promise<Seen> {
  const writes: string[] = [];
  const answer = createNodeHandler(async () => reply);
  const server = createServer((request, response) => {
    wrap(response);
    answer(request, response);
  });
  server.on("connection", (socket: Socket) => {
    for (const name of ["_write", "_writev"] as const) {
      const write: unknown = Reflect.get(socket, name);
      if (typeof write !== "function") continue;
      Reflect.set(socket, name, (...given: unknown[]) => {
        writes.push(name);
        Reflect.apply(write, socket, given);
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${String(port)}/`, { method: verb });
  const body = await response.text();
  server.closeAllConnections();
  server.close();
  return { status: response.status, length: response.headers.get("content-length"), body, writes };
}

it("head and body are one write", async () => {
  const seen = await ask({ status: 200, headers: { "content-type": "text/plain" }, body: BODY });
  expect(seen).toEqual({ status: 200, length: "80000", body: BODY, writes: ["_write"] });
});

it("HEAD brings the length of the body that it leaves out; 204 has none; a stated length is kept", async () => {
  expect(await ask({ status: 200, headers: {}, body: BODY }, { verb: "HEAD" })).toMatchObject({
    length: "80000",
    body: "",
  });
  expect(await ask({ status: 204, headers: {}, body: "" })).toMatchObject({
    status: 204,
    length: null,
    body: "",
  });
  expect(await ask({ status: 200, headers: { "content-length": "2" }, body: "é" })).toMatchObject({
    length: "2",
    body: "é",
  });
  expect(await ask({ status: 200, headers: {}, body: "" })).toMatchObject({ length: "0", body: "" });
});

it("whoever wraps the response sees the headers as an object, and the body", async () => {
  const seen: unknown[] = [];
  await ask(
    { status: 200, headers: { "x-one": "1" }, body: "text" },
    {
      wrap: (response) => {
        const writeHead = response.writeHead.bind(response);
        const end = response.end.bind(response);
        Object.assign(response, {
          writeHead: (status: number, headers: Record<string, string>) => {
            seen.push(status, headers);
            return writeHead(status, headers);
          },
          end: (body: string) => {
            seen.push(body);
            return end(body);
          },
        });
      },
    },
  );
  expect(seen).toEqual([200, { "x-one": "1", "content-length": 4 }, "text"]);
});
