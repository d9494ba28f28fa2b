// An agent below a path of a Fastify app, beside routes of its own: npx tsx examples/fastify.ts
import { fastify } from "fastify";
import { a2a } from "a2a-typed/fastify";
import { createServer, defineAgent } from "a2a-typed/server";
import { textOf } from "a2a-typed/v1";

const agent = defineAgent({
  card: { name: "Echo", description: "Says what it hears.", skills: [] },
  handle: async (_ctx, message) => "echo: " + textOf(message),
});

// #region app
const port = Number(process.env["PORT"] ?? 8080);
const server = createServer(agent, { url: `http://127.0.0.1:${port}/agents/echo` });

const app = fastify();
await app.register(a2a, { server, prefix: "/agents/echo" });
app.get("/", async () => "A home page");
// #endregion app

await app.listen({ port, host: "127.0.0.1" });
console.log(`${server.card.name} listens on http://127.0.0.1:${port}/agents/echo`);
