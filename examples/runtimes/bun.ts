// bun examples/runtimes/bun.ts
import { createServer } from "a2a-typed/server";
import { agent, options } from "./agent.js";

const listening = Bun.serve({
  port: Number(Bun.env["PORT"] ?? 8080),
  hostname: "127.0.0.1",
  idleTimeout: 0,
  fetch: (request) => server.fetch(request),
});
const server = createServer(agent, { ...options, url: listening.url.origin });
console.log(`${server.card.name} listens on ${listening.url.origin}`);
