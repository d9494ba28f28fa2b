/** A server that ends a connection in the very packet that says it is ready. */
import { createServer, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { postgresStore } from "../../src/postgres.js";

/** One message of the protocol of PostgreSQL. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 0);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const READY = Buffer.concat([message("R", Buffer.alloc(4)), message("Z", Buffer.from("I"))]);
const GONE = message(
  "E",
  Buffer.from("SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0"),
);

test("what ends a connection before anybody has it is a failure of the call, not of the process", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(Buffer.concat([READY, GONE])));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const opening = postgresStore({ url: `postgres://a2a@127.0.0.1:${String(port)}/a2a` });
    await expect(opening).rejects.toThrow("store: PostgreSQL");
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});
