import type { Command } from "commander";
import { agentCommand, withClient } from "../command.js";
import { fileSaver } from "../file-saver.js";
import type { Io } from "../io.js";
import { wholeNumber, type CallOptions } from "../options.js";
import { withSaveOptions, type SaveOptions } from "../save-options.js";
import { taskText } from "../task-text.js";

interface GetOptions extends CallOptions, SaveOptions {
  readonly history?: number;
}

/** `a2a-typed get <url> <task>`: prints a task. */
export const getCommand = (io: Io): Command =>
  withSaveOptions(agentCommand("get", "print a task"))
    .argument("<task>", "id of the task")
    .option("--history <n>", "with this many of the last messages", wholeNumber(0))
    .action(async (url: string, id: string, options: GetOptions) => {
      const request = { id, ...(options.history !== undefined && { historyLength: options.history }) };
      const task = await withClient(url, options, io, (client) =>
        client.getTask(request, { signal: io.signal }),
      );
      io.out(options.json ? JSON.stringify(task) + "\n" : taskText(task));
      const saver = fileSaver(options, io);
      await saver.task(task);
      saver.end();
    });
