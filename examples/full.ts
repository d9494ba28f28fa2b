// Streams, asks, can be canceled, reports to webhooks, for clients of A2A 1.0, 0.3 and 0.2 over both bindings.
import { setTimeout as pause } from "node:timers/promises";
import { defineAgent, serve, TaskCanceled } from "a2a-typed/server";
import { textOf } from "a2a-typed/v1";

/** Stands for a language model: a word every 50 ms, until the signal says stop. */
async function* write(prompt: string, signal: AbortSignal): AsyncGenerator<string> {
  for (const word of `A trip to ${prompt} is a fine idea.`.split(/(?<= )/)) {
    await pause(50, undefined, { signal });
    yield word;
  }
}

const planner = defineAgent<{ city?: string }>({
  card: {
    name: "Planner",
    description: "Plans a trip.",
    version: "1.0.0",
    skills: [{ id: "plan", name: "Plan", description: "Plans a trip to a city.", tags: ["travel"] }],
  },
  async *handle(ctx, message) {
    const said = textOf(message).trim();
    // The task is kept while it waits; the next message runs this again, with the same state.
    if (ctx.turn === 1) return ctx.inputRequired("Which city?");
    if (ctx.state.city === undefined) {
      ctx.state.city = said;
      return ctx.inputRequired(`${said}: for how many days?`);
    }
    const days = Number(said);
    if (!Number.isInteger(days) || days < 1) return ctx.inputRequired("A number of days, please.");

    ctx.working("planning");
    try {
      // What is yielded grows one artifact: streams, webhooks and later readers get it word by word.
      yield* write(ctx.state.city, ctx.signal);
    } catch (error) {
      // A cancel aborts the signal; the task is CANCELED by then, and whatever is left to tidy up is tidied here.
      if (ctx.signal.reason instanceof TaskCanceled) console.log(`no trip to ${ctx.state.city}`);
      throw error;
    }
    ctx.artifact([{ data: { city: ctx.state.city, days } }], { name: "plan.json" });
    return ctx.completed(`${days} days in ${ctx.state.city}`);
  },
});

await using server = await serve(planner, {
  port: Number(process.env["PORT"] ?? 8080),
  // Webhooks, signed with the caller's token; addresses in the own network are refused unless they are named.
  push: { allow: ["127.0.0.1"] },
});
console.log(`${server.card.name} listens on ${server.url}`);
await new Promise((resolve) => process.once("SIGTERM", resolve).once("SIGINT", resolve));
