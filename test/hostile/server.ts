/** The server under attack, in a process of its own: started with `--expose-gc`, it tells its heap when asked. */
import { defineAgent, memoryStore, serve } from "../../src/server.js";

const agent = defineAgent({
  card: {
    name: "Target",
    description: "Stands still.",
    skills: [{ id: "s", name: "S", description: "S.", tags: ["t"] }],
    defaultInputModes: ["*/*"],
  },
  handle: (ctx, { parts }) =>
    Promise.resolve(parts[0]?.text === "pause" ? ctx.inputRequired("more?") : "done"),
});

const logged: string[] = [];
const ignore = (): void => undefined;
const keep = (message: string, details?: unknown): void => {
  logged.push(`${message} ${details instanceof Error ? String(details.stack) : JSON.stringify(details)}`);
};
const server = await serve(agent, {
  port: 0,
  grpc: { port: 0 },
  push: true,
  health: true,
  cors: true,
  store: memoryStore({ maxTasks: 1_000 }),
  logger: { debug: ignore, info: ignore, warn: ignore, error: keep },
});

process.on("message", (request) => {
  if (request === "heap") {
    for (let i = 0; i < 4; i += 1) globalThis.gc?.();
    process.send?.({ heap: process.memoryUsage().heapUsed, logged: logged.splice(0) });
  }
});
process.on("disconnect", () => process.exit(0));
process.send?.({ port: server.port, grpcPort: server.grpc?.port });
