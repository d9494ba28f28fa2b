import type { Command } from "commander";
import { agentCommand, withClient } from "../command.js";
import type { Io } from "../io.js";
import { wholeNumber, type CallOptions } from "../options.js";
import { taskText } from "../task-text.js";

interface GetOptions extends CallOptions {
  readonly history?: number;
}

/** `a2a-typed get <url> <task>`: prints a task. */
export const getCommand = (io: Io): Command =>
  agentCommand("get", "print a task")
    .argument("<task>", "id of the task")
    .option("--history <n>", "with this many of the last messages", wholeNumber(0))
    .action(async (url: string, id: string, options: GetOptions) => {
      const request = { id, ...(options.history !== undefined && { historyLength: options.history }) };
      const task = await withClient(url, options, io, (client) =>
        client.getTask(request, { signal: io.signal }),
      );
      io.out(options.json ? JSON.stringify(task) + "\n" : taskText(task));
    });
