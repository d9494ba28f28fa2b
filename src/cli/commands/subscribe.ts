import type { Command } from "commander";
import { agentCommand, withClient } from "../command.js";
import { follow } from "../follow.js";
import type { Io } from "../io.js";
import type { CallOptions } from "../options.js";
import { withSaveOptions, type SaveOptions } from "../save-options.js";

interface SubscribeOptions extends CallOptions, SaveOptions {
  readonly lastEventId?: string;
}

/** `a2a-typed subscribe <url> <task>`: prints the events of a running task. */
export const subscribeCommand = (io: Io): Command =>
  withSaveOptions(agentCommand("subscribe", "print the events of a running task"))
    .argument("<task>", "id of the task")
    .option("--last-event-id <id>", "only what came after this event, where the agent keeps it")
    .action(async (url: string, id: string, options: SubscribeOptions) => {
      await withClient(url, options, io, (client) =>
        follow(
          client.subscribeToTask(
            { id },
            {
              signal: io.signal,
              ...(options.lastEventId !== undefined && { lastEventId: options.lastEventId }),
            },
          ),
          options,
          io,
        ),
      );
    });
