import { defineAgent, serve, type RunningServer } from "a2a-typed/server";
import { setTimeout as elapsed } from "node:timers/promises";
import { scriptOf } from "./triggers.js";

/** How the agent under test is set up; each run of the kit needs other capabilities. */
export interface TckAgentOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly streaming: boolean;
  readonly push: boolean;
  /** Requires the extension `requiredExtension` of every caller. */
  readonly requireExtension: boolean;
  readonly versions: readonly string[];
  /** The HTTP statuses of 1.0.0. */
  readonly errorTable?: "1.0.0";
}

/** The extension that nobody knows. */
export const requiredExtension = "urn:a2a:tck:required-extension";

/** The agent that the official test kits test: it does what the id of a message says. */
export async function startTckAgent(options: TckAgentOptions): Promise<RunningServer> {
  const agent = defineAgent({
    card: {
      name: "TCK agent",
      description: "Does what the id of a message says.",
      skills: [
        {
          id: "tck",
          name: "TCK",
          description: "Does what the id of a message says.",
          tags: ["test"],
        },
      ],
      capabilities: {
        streaming: options.streaming,
        pushNotifications: options.push,
        ...(options.requireExtension && { extensions: [{ uri: requiredExtension, required: true }] }),
      },
    },
    // A bare message is an answer only where no task has begun.
    replies: "auto",
    async handle(ctx, message) {
      const { reply, working, workMs, chunks = [], end, note } = scriptOf(message.messageId);
      if (reply !== undefined) return ctx.message(reply);
      if (working) ctx.working();
      if (workMs !== undefined) await elapsed(workMs, undefined, { signal: ctx.signal });
      const [first, ...more] = chunks;
      if (first !== undefined && more.length === 0) ctx.artifact(first);
      else if (first !== undefined) {
        await using out = ctx.open();
        for (const chunk of chunks) void out.write(chunk);
      }
      return end === undefined ? undefined : ctx[end](note);
    },
  });
  return serve(agent, {
    port: options.port,
    versions: options.versions,
    // The kits send parts of types that the card does not name, and count the refusal as a failure.
    checkInputModes: false,
    ...(options.push && { push: { allow: ["127.0.0.1", "::1", "localhost"] } }),
    ...(options.errorTable && { errorTable: options.errorTable }),
  });
}
