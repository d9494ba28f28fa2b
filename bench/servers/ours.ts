/** This library as a user sets it up: `defineAgent` and `serve` with the defaults. */
import { defineAgent, serve } from "a2a-typed/server";
import { textOf } from "a2a-typed/v1";
import { announce, breath, chunksOf, tokenOf } from "./contract.js";

const agent = defineAgent({
  card: {
    name: "bench",
    description: "bench",
    skills: [{ id: "echo", name: "Echo", description: "Says it again.", tags: ["bench"] }],
  },
  async handle(ctx, message) {
    const text = textOf(message);
    const count = chunksOf(text);
    if (count === 0) return `echo: ${text}`;
    await using out = ctx.open({ name: "echo" });
    for (let n = 0; n < count; n++) {
      void out.write(tokenOf(n));
      await breath(n);
    }
    return ctx.completed();
  },
});

const server = await serve(agent, { port: 0 });
announce({ port: server.port, rpcPath: "/", restPath: "" });
