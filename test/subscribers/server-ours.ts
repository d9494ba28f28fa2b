/** An agent whose tasks say what this process is told to. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { listen } from "a2a-typed/node";
import { createServer, defineAgent, type Ctx } from "a2a-typed/server";
import { textOf } from "a2a-typed/v1";
import { answer, heapNow } from "./worker.js";

const tasks = new Map<string, Ctx>();
const quiet = { debug: ignore, info: ignore, warn: ignore, error: ignore };
function ignore(): void {
  // A subscriber that is cut is what is tested.
}
const agent = defineAgent({
  card: { name: "Ticker", description: "Says what it is told to.", skills: [] },
  async handle(ctx, message) {
    tasks.set(textOf(message), ctx);
    ctx.working("tick");
    await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
  },
});
const server = createServer(agent, { logger: quiet });
const listening = await listen(server.handle);
// Thousands connect at once.
await new Promise<void>((resolve) => listening.server.close(() => resolve()));
const socket: Server = listening.server.listen(0, "127.0.0.1", 16_384);

answer({
  async port() {
    if (!socket.listening) await new Promise((resolve) => socket.once("listening", resolve));
    return (socket.address() as AddressInfo).port;
  },
  heap: heapNow,
  connections: () => new Promise<number>((resolve) => socket.getConnections((_, count) => resolve(count))),
  event() {
    tasks.get("idle")?.working("tick");
    return 1;
  },
  /** Replaces one artifact again and again, so that the task does not grow; returns the bytes that were streamed. */
  async stream({ task, events, bytes }: { task: string; events: number; bytes: number }) {
    for (let n = 0; n < events; n += 1) {
      // A text of its own: what `repeat` returns is next to nothing until somebody reads it.
      const text = Buffer.alloc(bytes, `${n} `).toString("latin1");
      tasks.get(task)?.artifact(text, { artifactId: "a" });
      // Sockets take what they can before the next one.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return events * bytes;
  },
});
