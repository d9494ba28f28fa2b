import { Command } from "commander";
import { cancelCommand } from "./commands/cancel.js";
import { cardCommand } from "./commands/card.js";
import { chatCommand } from "./commands/chat.js";
import { getCommand } from "./commands/get.js";
import { listCommand } from "./commands/list.js";
import { mcpCommand } from "./commands/mcp.js";
import { sendCommand } from "./commands/send.js";
import { serveCommand } from "./commands/serve.js";
import { storeCommand } from "./commands/store.js";
import { streamCommand } from "./commands/stream.js";
import { subscribeCommand } from "./commands/subscribe.js";
import { validateCommand } from "./commands/validate.js";
import type { Io } from "./io.js";
import { packageVersion } from "./version.js";

const commands = [
  serveCommand,
  cardCommand,
  sendCommand,
  streamCommand,
  chatCommand,
  getCommand,
  listCommand,
  cancelCommand,
  subscribeCommand,
  validateCommand,
  storeCommand,
  mcpCommand,
];

/** The command line of `a2a-typed`: one command per file under `commands/`. */
export function createProgram(io: Io): Command {
  const program = new Command("a2a-typed")
    .description("Talk to A2A agents, serve one, check documents.")
    .version(packageVersion(), "-V, --version", "print the version of this package");
  // `card` has options of its own beside those of its subcommands.
  program.enablePositionalOptions();
  for (const create of commands) program.addCommand(create(io));
  for (const command of [program, ...program.commands.flatMap((one) => [one, ...one.commands])]) {
    command
      .exitOverride()
      .configureOutput({ writeOut: (text) => io.out(text), writeErr: (text) => io.err(withoutValue(text)) });
  }
  return program;
}

/** A misspelt `--auth=…` must not show what was meant to be a secret. */
const withoutValue = (text: string): string =>
  text.replace(/^(error: unknown option '[^'=]*)=[^]*'(?=\n)/, "$1'");
