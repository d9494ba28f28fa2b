import { defineAgent, serve } from "a2a-typed/server";
import { textOf } from "a2a-typed/v1";

/** An agent of this library on a real socket, with the same script as the official one. */
export interface OurServer extends AsyncDisposable {
  readonly url: string;
  /** Lets the tasks that were told to `wait` finish. */
  release(): void;
}

/** Echoes; `stream:N` appends N chunks to one artifact, `wait` works until it is released or canceled, `ask` pauses for input. */
export async function startOurServer(): Promise<OurServer> {
  const waiting = new Set<() => void>();
  const agent = defineAgent({
    card: {
      name: "Ours",
      description: "An agent of this library.",
      skills: [{ id: "echo", name: "Echo", description: "Says it again.", tags: ["test"] }],
    },
    async handle(ctx, message) {
      const text = textOf(message);
      if (text === "ask") return ctx.inputRequired("Which city?");
      if (text === "wait") {
        ctx.working();
        await new Promise<void>((resolve) => {
          waiting.add(resolve);
          ctx.signal.addEventListener("abort", () => resolve());
        });
        if (ctx.signal.aborted) return undefined;
      }
      const count = Number(/^stream:(\d+)$/.exec(text)?.[1] ?? 0);
      if (count === 0) return `echo: ${text}`;
      await using out = ctx.open();
      for (let n = 0; n < count; n++) void out.write(`${n} `);
      return ctx.completed();
    },
  });
  const server = await serve(agent, { port: 0 });
  return {
    url: server.url,
    release: () => {
      for (const resolve of waiting) resolve();
      waiting.clear();
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
