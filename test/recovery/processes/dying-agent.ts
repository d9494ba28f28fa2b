/** A server on a folder of tasks, to be killed: its handler writes half an answer and hangs, and ends at a later attempt. */
import { fileStore } from "../../../src/store/files/file-store.js";
import { defineAgent, serve } from "../../../src/server.js";
import { quiet, skill } from "../../server/agents.js";

const [dir = "", recovery] = process.argv.slice(2);
const agent = defineAgent({
  card: { name: "Child", description: "Gets killed", skills: [skill] },
  recovery: recovery === "rerun" ? "rerun" : "fail",
  async *handle(ctx) {
    yield "half";
    if (ctx.attempt === 1) await new Promise(() => undefined);
    yield ` and whole after ${String(ctx.earlier.length)}`;
  },
});
const { url } = await serve(agent, { port: 0, store: fileStore({ dir }), leaseMs: 900, logger: quiet });
console.log(url);
