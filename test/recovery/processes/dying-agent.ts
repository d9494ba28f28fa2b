/** A server on a folder or a file of tasks, to be killed: its handler writes half an answer and hangs, and ends at a later attempt. */
import { join } from "node:path";
import { fileStore } from "../../../src/store/files/file-store.js";
import { sqliteStore } from "../../../src/store/sqlite/sqlite-store.js";
import { defineAgent, serve } from "../../../src/server.js";
import { quiet, skill } from "../../server/agents.js";

const [kind, dir = "", recovery] = process.argv.slice(2);
const store = kind === "sqlite" ? await sqliteStore({ path: join(dir, "tasks.db") }) : fileStore({ dir });
const agent = defineAgent({
  card: { name: "Child", description: "Gets killed", skills: [skill] },
  recovery: recovery === "rerun" ? "rerun" : "fail",
  async *handle(ctx) {
    yield "half";
    if (ctx.attempt === 1) await new Promise(() => undefined);
    yield ` and whole after ${String(ctx.earlier.length)}`;
  },
});
const { url } = await serve(agent, { port: 0, store, leaseMs: 900, logger: quiet });
console.log(url);
