/** What a subscriber costs at the least: a response of `node:http` that is kept open, with the headers of an event stream. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answer, heapNow } from "./worker.js";

const open = new Set<ServerResponse>();
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.write("data: {}\n\n");
  open.add(response);
  response.on("close", () => open.delete(response));
});
server.listen(0, "127.0.0.1", 16_384);
const listening = once(server, "listening");

answer({
  async port() {
    await listening;
    return (server.address() as AddressInfo).port;
  },
  heap: heapNow,
  connections: () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count))),
  event() {
    for (const response of open) response.write("data: tick\n\n");
    return open.size;
  },
});
