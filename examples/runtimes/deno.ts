// deno run --allow-net --allow-env=PORT examples/runtimes/deno.ts
import { createServer } from "a2a-typed/server";
import { agent, options } from "./agent.js";

const port = Number(Deno.env.get("PORT") ?? 8080);
const { addr } = Deno.serve({ port, hostname: "127.0.0.1" }, (request) => server.fetch(request));
const server = createServer(agent, { ...options, url: `http://127.0.0.1:${addr.port}` });
console.log(`${server.card.name} listens on http://127.0.0.1:${addr.port}`);
