import { defineAgent, serve } from "a2a-typed/server";
import { textOf } from "a2a-typed/v1";
import type { ServerLine } from "../../matrix/contract.js";
import { sceneOf } from "./script.js";
import { createTickers } from "./tickers.js";

const tickers = createTickers();

const agent = defineAgent({
  card: {
    name: "Interop",
    description: "Does what it is told.",
    skills: [{ id: "interop", name: "Interop", description: "Does what it is told.", tags: ["test"] }],
  },
  replies: "auto",
  async handle(ctx, message) {
    const scene = sceneOf(textOf(message), ctx.turn > 1);
    switch (scene.do) {
      case "message":
        return ctx.message(scene.text);
      case "release":
        tickers.end(scene.taskId, "released");
        return ctx.message("released");
      case "ask":
        return ctx.inputRequired(scene.question);
      case "complete":
        ctx.working();
        return scene.text;
      case "stream": {
        ctx.working();
        await using out = ctx.open();
        for (const chunk of scene.chunks) void out.write(chunk);
        return ctx.completed();
      }
      case "tick": {
        ctx.working();
        const out = ctx.open();
        ctx.signal.addEventListener("abort", () => tickers.end(ctx.taskId, "canceled"));
        if ((await tickers.run(ctx.taskId, () => void out.write("tick "))) === "canceled") return undefined;
        await out.close();
        return ctx.completed();
      }
    }
  },
});

/** Our server. */
export async function start(): Promise<ServerLine> {
  const { url, grpc } = await serve(agent, { port: 0, grpc: { port: 0 }, push: { allow: ["127.0.0.1"] } });
  const versions = ["1.0", "0.3"] as const;
  return {
    url,
    endpoints: versions.flatMap((version) => [
      { binding: "JSONRPC", version, url },
      { binding: "HTTP+JSON", version, url },
      { binding: "GRPC", version, url: grpc?.address ?? "" },
    ]),
  };
}
