/** The least server that can hold subscribers: `node:http`, headers, one event each. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answer, heapInUse, type ServerAsk } from "./protocol.js";

const open = new Set<ServerResponse>();
const server = createServer({ keepAlive: true }, (request, response) => {
  request.resume();
  // The same bytes as the library sends.
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-cache",
    "x-accel-buffering": "no",
    "x-content-type-options": "nosniff",
  });
  response.write('id: 1\ndata: {"jsonrpc":"2.0","id":1,"result":{"task":{"id":"t"}}}\n\n');
  open.add(response);
  response.on("close", () => open.delete(response));
});

answer<ServerAsk>((question) => {
  if (question.ask === "heap") return heapInUse();
  for (const response of open)
    response.write(`data: ${"x".repeat(question.size)}\n\n`.repeat(question.events));
  return open.size;
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
