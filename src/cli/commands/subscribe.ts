import type { Command } from "commander";
import { isA2AError, type ClientStream, type RemoteTask } from "../../client.js";
import { isTransient } from "../../client/transient.js";
import type { StreamResponse } from "../../versions/pivot.js";
import { agentCommand, withClient } from "../command.js";
import { follow } from "../follow.js";
import type { Io } from "../io.js";
import type { CallOptions } from "../options.js";
import { remoteTasks } from "../remote-tasks.js";
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
      await withClient(url, options, io, (client) => {
        const run = remoteTasks(client, options).task(id, { signal: io.signal });
        const { lastEventId } = options;
        const events =
          lastEventId === undefined
            ? run
            : resumed(client.subscribeToTask({ id }, { signal: io.signal, lastEventId }), run);
        return follow(events, options, io);
      });
    });

/**
 * The events of a stream, and where it breaks the task as it is from then on. No generator: one that waits could not be left.
 */
function resumed(stream: ClientStream<StreamResponse>, run: RemoteTask): AsyncIterable<StreamResponse> {
  let broken = false;
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        try {
          if (!broken) return await stream.next();
        } catch (error) {
          if (!isA2AError(error) || !isTransient(error)) throw error;
          broken = true;
        }
        return run.next();
      },
      return: () => (broken ? run.return() : stream.return()),
    }),
  };
}
