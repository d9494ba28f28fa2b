/** One instance of an agent whose events say when they were made. */
import { setTimeout as pause } from "node:timers/promises";
import { defineAgent, serve } from "../../src/server.js";
import { textOf } from "../../src/versions/pivot.js";
import { quiet, skill } from "../server/agents.js";
import type { Work } from "./work.js";

const agent = defineAgent({
  card: { name: "Clock", description: "Says what time it is.", skills: [skill] },
  async handle(ctx, message) {
    const { events, everyMs, restAfter } = JSON.parse(textOf(message)) as Work;
    const told = async (): Promise<void> => {
      for await (const _ of ctx.inbox) return;
    };
    await told();
    const out = ctx.open({ name: "times" });
    for (let n = 1; n <= events; n++) {
      await pause(everyMs, undefined, { signal: ctx.signal });
      const at = performance.timeOrigin + performance.now();
      if (n % 5 === 0) ctx.working(`${String(n)} so far`, { metadata: { at } });
      else void out.write({ data: { n, at } });
      if (n === restAfter) await told();
    }
    return ctx.completed("done");
  },
});

const server = await serve(agent, {
  port: 0,
  store: process.env["A2A_TEST_POSTGRES"] ?? "",
  bus: process.env["A2A_TEST_REDIS"] ?? "",
  // What is waited for here are connections of one process to itself.
  limits: { subscriberStallMs: 60_000 },
  logger: { ...quiet, warn: console.warn, error: console.error },
});
process.on("disconnect", () => process.exit());
process.send?.(server.port);
