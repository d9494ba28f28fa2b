import type { Interceptor } from "a2a-typed";
import { defineAgent, type ServerOptions } from "a2a-typed/server";
import { textOf } from "a2a-typed/v1";

let left = 0;

/** Counts the callers that hung up. */
const countLeft: Interceptor = (next) => (call) => {
  call.signal.addEventListener("abort", () => (left += 1));
  return next(call);
};

export const options: ServerOptions = { middleware: [countLeft], limits: { bodyBytes: 32_768 } };

/** Repeats what it hears, word by word; after each `next` it waits for another message to the same task. */
export const agent = defineAgent({
  card: { name: "Words", description: "Says what it hears, word by word.", skills: [] },
  async *handle(ctx, message) {
    if (textOf(message) === "who left?") return `${left}`;
    for (const word of textOf(message).split(/(?<= )/)) {
      yield word;
      if (word.trim() !== "next") continue;
      for await (const more of ctx.inbox) {
        yield textOf(more);
        break;
      }
    }
    return undefined;
  },
});
