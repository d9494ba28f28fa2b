import type { Command } from "commander";
import { agentCommand, withClient } from "../command.js";
import type { Io } from "../io.js";
import type { CallOptions } from "../options.js";
import { taskText } from "../task-text.js";

/** `a2a-typed cancel <url> <task>`: cancels a task and prints it. */
export const cancelCommand = (io: Io): Command =>
  agentCommand("cancel", "cancel a task")
    .argument("<task>", "id of the task")
    .action(async (url: string, id: string, options: CallOptions) => {
      const task = await withClient(url, options, io, (client) =>
        client.cancelTask({ id }, { signal: io.signal }),
      );
      io.out(options.json ? JSON.stringify(task) + "\n" : taskText(task));
    });
