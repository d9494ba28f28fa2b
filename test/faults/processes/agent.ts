/**
 * An instance that gets killed, stopped and cut off. Its handler does steps, each of them two events, and goes on with the
 * first step that is not stored where its process died.
 */
import { setTimeout as delay } from "node:timers/promises";
import { postgresStore } from "../../../src/postgres.js";
import { defineAgent, serve, type Ctx } from "../../../src/server.js";
import { sqliteStore } from "../../../src/sqlite.js";
import { textOf, type Message } from "../../../src/versions/pivot.js";
import type { Plan, Settings } from "./settings.js";
import { slowStore } from "./slow-store.js";

const settings = JSON.parse(process.argv[2] ?? "{}") as Settings;

/** Shows that a message was taken; taken again after a rerun it replaces what it led to. */
const note = (ctx: Ctx, message: Message): void => {
  ctx.artifact(textOf(message), { artifactId: `message-${message.messageId}` });
};

const agent = defineAgent({
  card: {
    name: "Steps",
    description: "Does one step after the other.",
    skills: [{ id: "steps", name: "Steps", description: "Counts them.", tags: ["test"] }],
  },
  recovery: settings.recovery,
  maxAttempts: 100,
  async handle(ctx, message) {
    const { steps, pauseMs, ballast = 0 } = JSON.parse(textOf(message)) as Plan;
    const done = ctx.earlier.filter(({ artifactUpdate }) =>
      artifactUpdate?.artifact.artifactId.startsWith("step-"),
    ).length;
    const metadata = { ballast: "x".repeat(ballast) };
    const log = ctx.open({ artifactId: `log-${String(ctx.attempt)}` });
    for (let n = done; n < steps; n += 1) {
      for (let next = ctx.inbox.take(); next !== undefined; next = ctx.inbox.take()) note(ctx, next);
      if (ballast > 0) ctx.working(undefined, { metadata });
      else {
        if (n % 4 === 0) ctx.working(`step ${String(n)}`);
        ctx.artifact(String(n), { artifactId: `step-${String(n)}` });
      }
      await log.write(`${String(n)} `);
      if (pauseMs > 0) await delay(Math.random() * pauseMs, undefined, { signal: ctx.signal });
    }
    return ctx.completed("all steps are done");
  },
});

const opened =
  settings.store.kind === "sqlite"
    ? await sqliteStore({ path: settings.store.path, replayWindow: 600_000 })
    : await postgresStore({ url: settings.store.url, replayWindow: 600_000, max: 4 });
const store = settings.slowMs === undefined ? opened : slowStore(opened, settings.slowMs);

const silent = (): void => undefined;
const told = (...words: unknown[]): void => {
  if (process.env["A2A_FAULTS_LOG"] !== undefined) console.error(process.pid, ...words);
};
const { url } = await serve(agent, {
  port: 0,
  store,
  leaseMs: settings.leaseMs,
  logger: { debug: silent, info: told, warn: told, error: told },
  ...(settings.bus !== undefined && { bus: settings.bus }),
  ...(settings.runningTasks !== undefined && { limits: { runningTasks: settings.runningTasks } }),
});

process.on("message", () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage().heapUsed);
});
process.on("disconnect", () => process.exit());
process.send?.(url);
