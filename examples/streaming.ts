import { setTimeout as pause } from "node:timers/promises";
import { defineAgent, serve } from "a2a-typed/server";
import { textOf } from "a2a-typed/v1";

/** Stands for a language model: a word every 50 ms. */
async function* tokens(prompt: string, signal: AbortSignal): AsyncGenerator<string> {
  for (const word of `You said: ${prompt}`.split(/(?<= )/)) {
    await pause(50, undefined, { signal });
    yield word;
  }
}

// #region agent
const writer = defineAgent({
  card: { name: "Writer", description: "Writes as it thinks.", skills: [] },
  // What is yielded grows one artifact; the end of the generator completes the task.
  async *handle(ctx, message) {
    ctx.working("writing");
    yield* tokens(textOf(message), ctx.signal);
  },
});
// #endregion agent

const server = await serve(writer, { port: Number(process.env["PORT"] ?? 8080) });
console.log(`${server.card.name} listens on ${server.url}`);
