/**
 * This library as a user sets it up: `defineAgent` and `serve` with the defaults. `BENCH_STORE` names another store, and
 * `BENCH_SYNCHRONOUS` how sure the commits of a SQLite file are, `BENCH_MAX_TASKS` and `BENCH_REPLAY_MS` what memory keeps; `BENCH_HOST=fetch`
 * puts the web adapter behind Node's server.
 */
import { defineAgent, memoryStore, type ArtifactWriter, type TaskStore } from "a2a-typed/server";
import { textOf } from "a2a-typed/v1";
import { announce, askedBy, breath, tokenOf, type Talk } from "./contract.js";
import { listen } from "./listen-ours.js";

/** The artifact of the task that goes on. */
let talking: ArtifactWriter | undefined;

const agent = defineAgent({
  card: {
    name: "bench",
    description: "bench",
    skills: [{ id: "echo", name: "Echo", description: "Says it again.", tags: ["bench"] }],
  },
  async handle(ctx, message) {
    const text = textOf(message);
    const { count, distinct, talk } = askedBy(text);
    if (talk) {
      ctx.working();
      talking = ctx.open({ name: "echo" });
      void talking.write(tokenOf(0));
      await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
      return;
    }
    if (count === 0) return `echo: ${text}`;
    if (distinct) {
      for (let n = 0; n < count; n++) {
        ctx.artifact(tokenOf(n));
        await breath(n);
      }
      return ctx.completed();
    }
    await using out = ctx.open({ name: "echo" });
    for (let n = 0; n < count; n++) {
      void out.write(tokenOf(n));
      await breath(n);
    }
    return ctx.completed();
  },
});

const say: Talk = async (tokens, together) => {
  for (let n = 0; n < tokens; n++) {
    void talking?.write(tokenOf(n));
    await breath(n, together);
  }
};

const store = await storeOf(process.env["BENCH_STORE"] ?? "memory", process.env["BENCH_SYNCHRONOUS"]);
const port = await listen(agent, store, process.env["BENCH_HOST"]);
announce({ port, rpcPath: "/", restPath: "" }, say);

async function storeOf(url: string, synchronous: string | undefined): Promise<TaskStore | string> {
  const maxTasks = process.env["BENCH_MAX_TASKS"];
  const replayWindow = Number(process.env["BENCH_REPLAY_MS"] ?? 60_000);
  if (maxTasks !== undefined) return memoryStore({ maxTasks: Number(maxTasks), replayWindow });
  if (synchronous === undefined) return url;
  const { sqliteStore } = await import("a2a-typed/sqlite");
  return sqliteStore({
    path: url.slice("sqlite:".length),
    synchronous: synchronous === "FULL" ? "FULL" : "NORMAL",
  });
}
