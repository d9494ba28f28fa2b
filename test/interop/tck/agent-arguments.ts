import { Command, Option } from "commander";

/** How an agent under test is set up; each run of a kit needs other capabilities. */
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

const list = (value: string): string[] => value.split(",").map((entry) => entry.trim());

/** Reads the command line of an agent under test. */
export function agentArguments(name: string): TckAgentOptions {
  const { requiredExtension: requireExtension, ...options } = new Command(name)
    .description("An agent for the official test kits; prints its URL when it listens.")
    .option("--port <number>", "where to listen; 0 takes a free one", Number, 0)
    .option("--push", "delivers webhooks, also to this machine", false)
    .option("--no-streaming", "has no streams")
    .option("--required-extension", "requires an extension that nobody knows", false)
    .option("--versions <list>", "protocol versions, comma-separated", list, ["1.0", "0.3"])
    .addOption(new Option("--error-table <release>", "HTTP statuses of an older release").choices(["1.0.0"]))
    .parse()
    .opts<Omit<TckAgentOptions, "requireExtension"> & { requiredExtension: boolean }>();
  return { ...options, requireExtension };
}
