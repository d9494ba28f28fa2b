import { Command } from "commander";
import type { Agent, Client } from "../client.js";
import type { pivot } from "../versions/pivot.js";
import type { Io } from "./io.js";
import { openClient } from "./open-client.js";
import { withCallOptions, type CallOptions } from "./options.js";

/** A client of the newest version; an agent, where its card was read. */
export type CliClient = Client<typeof pivot> & Partial<Pick<Agent, "start" | "task">>;

/** A command whose first argument is the URL of an agent, with the options of every call. */
export const agentCommand = (name: string, description: string): Command =>
  withCallOptions(new Command(name).description(description).argument("<url>", "URL of the agent"));

/** Runs `use` with an open client and closes it. Meanwhile there is a progress line, but for `quiet`. */
export async function withClient<T>(
  url: string,
  options: CallOptions,
  io: Io,
  use: (client: CliClient) => Promise<T>,
  { quiet = false }: { readonly quiet?: boolean } = {},
): Promise<T> {
  const idle = quiet ? undefined : io.busy?.();
  try {
    return await withOpenClient(url, options, io, use);
  } finally {
    idle?.();
  }
}

async function withOpenClient<T>(
  url: string,
  options: CallOptions,
  io: Io,
  use: (client: CliClient) => Promise<T>,
): Promise<T> {
  const client = await openClient(url, options, io);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}
