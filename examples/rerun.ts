// An agent that goes on where it stopped when its process dies: npx tsx examples/rerun.ts, kill it, and run it again.
import { setTimeout as wait } from "node:timers/promises";
import { defineAgent, serve, type Agent } from "a2a-typed/server";

/** One piece of work. */
export type Step = (signal: AbortSignal) => Promise<string>;

/** Does steps one after the other, and none of them again. */
export function stepAgent(steps: readonly Step[]): Agent {
  // #region agent
  const agent = defineAgent({
    card: { name: "Steps", description: "Does one after the other.", skills: [] },
    recovery: "rerun",
    async handle(ctx) {
      const done = ctx.earlier.filter((event) => event.artifactUpdate !== undefined).length;
      for (const step of steps.slice(done)) ctx.artifact(await step(ctx.signal));
    },
  });
  // #endregion agent
  return agent;
}

if (process.argv[1]?.endsWith("rerun.ts") === true) {
  const slow =
    (name: string): Step =>
    (signal) =>
      wait(5_000, `${name} is done`, { signal });
  const server = await serve(stepAgent(["one", "two", "three"].map(slow)), {
    port: 8080,
    store: "sqlite:tasks.db",
  });
  console.log(`${server.url} keeps its tasks in tasks.db`);
}
