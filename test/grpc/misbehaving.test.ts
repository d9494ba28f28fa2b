/** Agents that speak HTTP/2, and gRPC not quite: what a client makes of them. */
import { createServer, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { A2A } from "../../generated/v1.0/index.js";
import { A2AError, createClient } from "../../src/index.js";
import { grpc } from "../../src/grpc.js";

const GRPC = { ":status": 200, "content-type": "application/grpc" };

/** Frames and trailers of a reply that says it is well. */
function fine(stream: ServerHttp2Stream, bytes: Buffer, headers: Record<string, string> = {}): void {
  stream.respond({ ...GRPC, ...headers }, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
  stream.end(bytes);
}

function frame(bytes: Buffer, compressed = false): Buffer {
  const head = Buffer.alloc(5);
  head[0] = compressed ? 1 : 0;
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/** What GetTask of such an agent rejects with. */
async function said(answer: (stream: ServerHttp2Stream) => void): Promise<A2AError> {
  const server = createServer().on("stream", (stream) => {
    stream.on("error", () => undefined);
    answer(stream);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const client = createClient(A2A, grpc({ address: `127.0.0.1:${String(port)}`, maxBodyBytes: 100_000 }));
  try {
    await client.getTask({ id: "x" }, { timeoutMs: 10_000 });
    throw new Error("It was taken for an answer");
  } catch (error) {
    if (error instanceof A2AError) return error;
    throw error;
  } finally {
    await client.close();
    server.close();
  }
}

it.each<[string, string, (stream: ServerHttp2Stream) => void]>([
  [
    "OK without a message",
    "DECODE",
    (one) => one.respond({ ...GRPC, "grpc-status": "0" }, { endStream: true }),
  ],
  ["bytes that are no message", "DECODE", (one) => fine(one, frame(Buffer.from([255, 255, 255])))],
  ["a length of 4 GiB", "PAYLOAD_TOO_LARGE", (one) => fine(one, Buffer.from([0, 255, 255, 255, 255, 1]))],
  [
    "little that unpacks to much",
    "PAYLOAD_TOO_LARGE",
    (one) => fine(one, frame(gzipSync(Buffer.alloc(10_000_000)), true), { "grpc-encoding": "gzip" }),
  ],
  [
    "details that are no base64",
    "TASK_NOT_FOUND",
    (one) =>
      one.respond({ ...GRPC, "grpc-status": "5", "grpc-status-details-bin": "!!" }, { endStream: true }),
  ],
  ["no status", "NETWORK", (one) => (one.respond(GRPC), one.end(frame(Buffer.alloc(0))))],
  [
    "a page",
    "NETWORK",
    (one) => (one.respond({ ":status": 200, "content-type": "text/html" }), one.end("<p>")),
  ],
  ["a stream that is reset", "NETWORK", (one) => one.close(8)],
  ["a connection that ends", "NETWORK", (one) => one.session?.destroy()],
])("%s is %s", async (_, reason, answer) => {
  expect((await said(answer)).reason).toBe(reason);
});
