import { defineAgent, serve } from "a2a-typed/server";
import { textOf } from "a2a-typed/v1";

const echo = defineAgent({
  card: {
    name: "Echo",
    description: "Says what it hears.",
    skills: [{ id: "echo", name: "Echo", description: "Repeats a message.", tags: ["demo"] }],
  },
  handle: async (_ctx, message) => "echo: " + textOf(message),
});

const server = await serve(echo, { port: Number(process.env["PORT"] ?? 8080) });
console.log(`${server.card.name} listens on ${server.url}`);
