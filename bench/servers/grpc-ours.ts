/** This library as a user sets it up for gRPC. */
import { defineAgent, serve } from "../../src/server.js";
import { textOf } from "../../src/versions/pivot.js";
import { announce, askedEvents, breath, tokenOf } from "./grpc-contract.js";

const agent = defineAgent({
  card: {
    name: "bench",
    description: "bench",
    skills: [{ id: "echo", name: "Echo", description: "Says it again.", tags: ["bench"] }],
  },
  async handle(ctx, message) {
    const text = textOf(message);
    const count = askedEvents(text);
    if (count === 0) return `echo: ${text}`;
    await using out = ctx.open({ name: "echo" });
    for (let n = 0; n < count; n++) {
      void out.write(tokenOf(n));
      await breath(n);
    }
    return ctx.completed();
  },
});

const server = await serve(agent, { port: 0, grpc: { port: 0 } });
announce(server.grpc?.address ?? "");
