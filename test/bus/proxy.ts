import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A TCP proxy on loopback that can hold back what it should pass on. */
export interface Proxy extends AsyncDisposable {
  readonly port: number;
  /** Passes on nothing more, in either direction, and closes nothing; new connections are taken and go nowhere. */
  freeze(): void;
  /** Passes on what it held back. */
  thaw(): void;
}

/** Stands before a port of loopback. */
export async function startProxy(target: number): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let frozen = false;
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (near) => {
    const far = connect({ port: target, host: "127.0.0.1", allowHalfOpen: true });
    const pair = [near, far] as const;
    for (const [from, to] of [pair, [far, near] as const]) {
      sockets.add(from);
      from.on("error", () => to.destroy());
      from.on("data", (chunk) => to.write(chunk));
      from.on("end", () => to.end());
      from.on("close", () => {
        sockets.delete(from);
        if (!frozen) to.destroy();
      });
      if (frozen) from.pause();
      else from.resume();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
