/** Subscribers of either server: bare sockets, so that this process holds thousands of them. */
import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { answer } from "./worker.js";

const sockets = new Set<Socket>();
let told = 0;

const request = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nA2A-Version: 1.0\r\nContent-Type: application/json\r\n` +
  `Content-Length: 2\r\n\r\n{}`;

/** Resolves when the first event is there. */
async function subscribe(port: number, path: string): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  sockets.add(socket);
  socket.setEncoding("latin1").write(request(path));
  let text = "";
  while (!text.includes("data: ")) text += String((await once(socket, "data"))[0]);
  if (!text.startsWith("HTTP/1.1 200")) throw new Error(text);
  socket.on("data", (chunk: string) => {
    if (chunk.includes("tick")) told += 1;
  });
}

answer({
  async open({ port, path, count }: { port: number; path: string; count: number }) {
    const left = Array.from({ length: count }, () => path);
    const line = async (): Promise<void> => {
      for (let one = left.pop(); one !== undefined; one = left.pop()) await subscribe(port, one);
    };
    await Promise.all(Array.from({ length: 100 }, line));
    told = 0;
    return sockets.size;
  },
  /** A subscriber that never reads. */
  async stall({ port, path }: { port: number; path: string }) {
    const socket = connect(port, "127.0.0.1");
    sockets.add(socket);
    socket.pause();
    socket.write(request(path));
    await once(socket, "connect");
    return 1;
  },
  /** How many have heard of an event. */
  told: () => told,
  async close() {
    const count = sockets.size;
    const closed = [...sockets].map((socket) => once(socket, "close"));
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await Promise.all(closed);
    return count;
  },
});
