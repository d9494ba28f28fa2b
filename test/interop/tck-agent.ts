import { Command, Option } from "commander";
import { startTckAgent, type TckAgentOptions } from "./tck/agent.js";

const list = (value: string): string[] => value.split(",").map((entry) => entry.trim());

const program = new Command("tck-agent")
  .description("The agent for the official test kits; prints its URL when it listens.")
  .option("--port <number>", "where to listen; 0 takes a free one", Number, 0)
  .option("--push", "delivers webhooks, also to this machine", false)
  .option("--no-streaming", "has no streams")
  .option("--required-extension", "requires an extension that nobody knows", false)
  .option("--versions <list>", "protocol versions, comma-separated", list, ["1.0", "0.3"])
  .addOption(new Option("--error-table <release>", "HTTP statuses of an older release").choices(["1.0.0"]))
  .parse();

const { requiredExtension, ...options } = program.opts<
  Omit<TckAgentOptions, "requireExtension"> & { requiredExtension: boolean }
>();
const server = await startTckAgent({ ...options, requireExtension: requiredExtension });
console.log(server.url);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void server.close());
