import { defineAgent, serve, type GrpcServeOptions, type RunningServer } from "a2a-typed/server";
import { setTimeout as elapsed } from "node:timers/promises";
import { freePort } from "../../services/free-port.js";
import { requiredExtension, type TckAgentOptions } from "./agent-arguments.js";
import { scriptOf } from "./triggers.js";

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
      if (workMs !== undefined)
        await elapsed(workMs, undefined, { signal: ctx.signal }).catch(() => undefined);
      if (ctx.signal.aborted) return undefined;
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
    grpc: options.versions.includes("1.0") ? { port: 0 } : await atHttpUrl(),
    versions: options.versions,
    // The kits send parts of types that the card does not name, and count the refusal as a failure.
    checkInputModes: false,
    ...(options.push && { push: { allow: ["127.0.0.1", "::1", "localhost"] } }),
    ...(options.errorTable && { errorTable: options.errorTable }),
  });
}

/** The kit for 0.3 takes the address of a gRPC interface for the URL of an HTTP server. */
async function atHttpUrl(): Promise<GrpcServeOptions> {
  const port = await freePort();
  return { port, url: `http://127.0.0.1:${port}` };
}
