import type { Command } from "commander";
import type { Problem } from "../../codec/decode.js";
import type { AgentCard } from "../../versions/pivot.js";
import { agentCommand } from "../command.js";
import type { Io } from "../io.js";
import { readCard } from "../open-client.js";
import type { CallOptions } from "../options.js";
import { cardLintCommand } from "./card-lint.js";
import { cardSignCommand } from "./card-sign.js";
import { cardVerifyCommand } from "./card-verify.js";

/** `a2a-typed card <url>`: prints the card of an agent; `card lint`, `sign` and `verify` work on cards as documents. */
export const cardCommand = (io: Io): Command =>
  agentCommand("card", "print the card of an agent, or lint, sign or verify one")
    // What follows the name of a subcommand is the subcommand's, also where both have an option of that name.
    .enablePositionalOptions()
    .action(async (url: string, options: CallOptions) => {
      const problems: Problem[] = [];
      const card = await readCard(url, options, io, (problem) => problems.push(problem));
      io.out(options.json ? JSON.stringify(card) + "\n" : cardText(card, problems));
    })
    .addCommand(cardLintCommand(io))
    .addCommand(cardSignCommand(io))
    .addCommand(cardVerifyCommand(io));

function cardText(card: AgentCard, problems: readonly Problem[]): string {
  const can = Object.entries(card.capabilities).flatMap(([name, value]) => (value === true ? [name] : []));
  const lines = [
    `${card.name} ${card.version}`,
    card.description,
    ...card.supportedInterfaces.map(
      (one) => `  ${`${one.protocolBinding} ${one.protocolVersion}`.padEnd(16)} ${one.url}`,
    ),
    `capabilities: ${can.join(", ") || "none"}`,
    ...card.skills.map((skill) => `skill ${skill.id}: ${skill.description}`),
    ...problems.map(({ pointer, message }) => `note: ${pointer || "/"}: ${message}`),
  ];
  return lines.join("\n") + "\n";
}
