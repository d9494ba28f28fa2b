// An agent below a path of a Hono app, beside routes of its own: npx tsx examples/hono.ts
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { a2a } from "a2a-typed/hono";
import { createServer, defineAgent } from "a2a-typed/server";
import { textOf } from "a2a-typed/v1";

const agent = defineAgent({
  card: { name: "Echo", description: "Says what it hears.", skills: [] },
  handle: async (_ctx, message) => "echo: " + textOf(message),
});

// #region app
const port = Number(process.env["PORT"] ?? 8080);
const server = createServer(agent, { url: `http://127.0.0.1:${port}/agents/echo` });

const app = new Hono();
app.use("/agents/echo/*", a2a(server));
app.get("/", (c) => c.text("A home page"));
// #endregion app

serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, () =>
  console.log(`${server.card.name} listens on http://127.0.0.1:${port}/agents/echo`),
);
