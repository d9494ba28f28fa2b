import type { Command } from "commander";
import { userMessage, type SendMessageRequest } from "../versions/pivot.js";
import { CliFailure } from "./failure.js";
import type { Io } from "./io.js";

/** Options that say where a message belongs. */
export interface MessageOptions {
  readonly task?: string;
  readonly context?: string;
}

/** Adds the argument and options of a command that sends a message. */
export const withMessageOptions = (command: Command): Command =>
  command
    .argument("<text>", "what to say; - reads standard input")
    .option("--task <id>", "continue this task")
    .option("--context <id>", "in this conversation");

/** The request for a text of the command line. */
export async function messageRequest(
  text: string,
  options: MessageOptions,
  io: Io,
): Promise<SendMessageRequest> {
  const said = text === "-" ? (await io.stdin()).replace(/\r?\n$/, "") : text;
  if (!said) throw new CliFailure("nothing to send: the text is empty", 2);
  return {
    message: userMessage(said, {
      ...(options.task !== undefined && { taskId: options.task }),
      ...(options.context !== undefined && { contextId: options.context }),
    }),
  };
}
