// One instance of an agent that several processes are: start.ts and compose.yaml start three of them.
import { setTimeout as pause } from "node:timers/promises";
import { defineAgent, serve } from "a2a-typed/server";
import { textOf } from "a2a-typed/v1";

const { env } = process;
const instance = env["INSTANCE"] ?? "a";
/** Milliseconds that a line takes. */
const PACE = 100;

// #region agent
const poet = defineAgent({
  card: { name: "Poet", description: "Writes as many lines as you like.", skills: [] },
  // What a process leaves unfinished, another one goes on with.
  recovery: "rerun",
  async handle(ctx, message) {
    if (ctx.turn === 1) return ctx.inputRequired("How many lines?");
    const lines = Number(textOf(message));
    if (!Number.isInteger(lines) || lines < 1) return ctx.inputRequired("A number, please: how many lines?");
    ctx.working(`${instance} writes`);
    // Lines that are there are there: this may be the second process at work.
    for (let n = (ctx.task.artifacts?.length ?? 0) + 1; n <= lines; n++) {
      await pause(PACE, undefined, { signal: ctx.signal });
      ctx.artifact(`line ${n} by ${instance}`);
    }
    return ctx.completed(`${instance} wrote the last line`);
  },
});
// #endregion agent

// #region serve
const server = await serve(poet, {
  port: Number(env["PORT"] ?? 8080),
  host: env["HOST"] ?? "127.0.0.1",
  // The address of the balancer: what the card says.
  ...(env["URL"] !== undefined && { url: env["URL"] }),
  store: env["STORE"] ?? "memory",
  ...(env["BUS"] !== undefined && { bus: env["BUS"] }),
  // How long a dead process is waited for, about.
  leaseMs: Number(env["LEASE_MS"] ?? 15_000),
  health: true,
  // At SIGTERM the tasks are handed over.
  signals: true,
});
// #endregion serve
console.log(`listens on port ${server.port}`);
