/**
 * This library as a user sets it up: `defineAgent` and `serve` with the defaults. `BENCH_STORE` names another store, and
 * `BENCH_SYNCHRONOUS` how sure the commits of a SQLite file are.
 */
import { defineAgent, serve, type TaskStore } from "a2a-typed/server";
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

const store = await storeOf(process.env["BENCH_STORE"] ?? "memory", process.env["BENCH_SYNCHRONOUS"]);
const server = await serve(agent, { port: 0, store });
announce({ port: server.port, rpcPath: "/", restPath: "" });

async function storeOf(url: string, synchronous: string | undefined): Promise<TaskStore | string> {
  if (synchronous === undefined) return url;
  const { sqliteStore } = await import("a2a-typed/sqlite");
  return sqliteStore({
    path: url.slice("sqlite:".length),
    synchronous: synchronous === "FULL" ? "FULL" : "NORMAL",
  });
}
