/** The library with its defaults: one task that waits, and says something whenever it is told to. */
import { setImmediate as turn } from "node:timers/promises";
import { defineAgent, serve, type Ctx } from "../../src/server.js";
import { answer, heapInUse, type ServerAsk } from "./protocol.js";

let ctx: Ctx | undefined;
const agent = defineAgent({
  card: {
    name: "Crowd",
    description: "Many listen to it",
    skills: [{ id: "talk", name: "Talk", description: "Says something now and then.", tags: ["test"] }],
  },
  async handle(own) {
    ctx = own;
    own.working();
    await new Promise((resolve) => own.signal.addEventListener("abort", resolve));
  },
});

const server = await serve(agent, { port: 0 });
answer<ServerAsk>(async (question) => {
  if (question.ask === "heap") return heapInUse();
  const metadata = { text: "x".repeat(question.size) };
  for (let n = 0; n < question.events; n++) {
    ctx?.working(undefined, { metadata });
    // Events that are ready together go out together; here each tick is to have its own.
    if (n % 16 === 0) await turn();
  }
  return question.events;
});
process.send?.(server.port);
