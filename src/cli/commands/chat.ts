import type { Command } from "commander";
import { agentCommand, withClient } from "../command.js";
import { ChatSession, type ChatOptions } from "../chat-session.js";
import { CliFailure } from "../failure.js";
import type { Io } from "../io.js";
import type { CallOptions } from "../options.js";
import { reasonOf } from "../reason-of.js";
import { withSaveOptions } from "../save-options.js";

/** `a2a-typed chat <url>`: a conversation, one message for each line of standard input. */
export const chatCommand = (io: Io): Command =>
  withSaveOptions(agentCommand("chat", "talk to an agent: each line is a message"))
    .option("--task <id>", "the first line continues this task")
    .option("--context <id>", "in this conversation")
    .action((url: string, options: CallOptions & ChatOptions) =>
      withClient(url, options, io, (client) => talk(new ChatSession(client, options, io), io), {
        quiet: true,
      }),
    );

async function talk(chat: ChatSession, io: Io): Promise<void> {
  const lines = io.lines();
  const stop = (): void => void lines.return?.();
  io.signal.addEventListener("abort", stop, { once: true });
  let failed = false;
  try {
    for (;;) {
      if (io.tty) io.err(chat.asked ? "answer> " : "> ");
      const { done, value } = await lines.next();
      io.signal.throwIfAborted();
      if (done === true) break;
      const line = value.trim();
      if (line === "") continue;
      failed = false;
      try {
        await chat.say(line);
      } catch (error) {
        io.signal.throwIfAborted();
        failed = true;
        io.err(`a2a-typed: ${reasonOf(error)}\n`);
      }
    }
  } finally {
    io.signal.removeEventListener("abort", stop);
    await lines.return?.();
    await chat.close();
  }
  if (io.tty) io.err("\n");
  chat.end();
  if (failed) throw new CliFailure("the last message was not answered as it should be");
}
