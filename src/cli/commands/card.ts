import type { Command } from "commander";
import type { Problem } from "../../codec/decode.js";
import type { AgentCard } from "../../versions/pivot.js";
import { agentCommand } from "../command.js";
import type { Io } from "../io.js";
import { readCard } from "../open-client.js";
import type { CallOptions } from "../options.js";

/** `a2a-typed card <url>`: prints the card of an agent. */
export const cardCommand = (io: Io): Command =>
  agentCommand("card", "print the card of an agent").action(async (url: string, options: CallOptions) => {
    const problems: Problem[] = [];
    const card = await readCard(url, options, io, (problem) => problems.push(problem));
    io.out(options.json ? JSON.stringify(card) + "\n" : cardText(card, problems));
  });

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
