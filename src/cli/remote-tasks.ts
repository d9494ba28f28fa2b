import type { Agent, ClientWarning } from "../client.js";
import { openTask, startTask, type TaskAgent } from "../client/start-task.js";
import type { CliClient } from "./command.js";
import type { CallOptions } from "./options.js";

/** How tasks are begun and followed with a client, whether or not it has read a card. */
export function remoteTasks(
  client: CliClient,
  { timeout }: Pick<CallOptions, "timeout">,
  onWarning?: (warning: ClientWarning) => void,
): {
  start(
    request: Parameters<typeof startTask>[1],
    options?: Parameters<typeof startTask>[2],
  ): ReturnType<Agent["start"]>;
  task: Agent["task"];
} {
  const { start, task } = client;
  if (start !== undefined && task !== undefined) return { start, task };
  const agent: TaskAgent = {
    client,
    abilities: { streaming: true },
    timeoutMs: timeout === undefined ? undefined : timeout * 1000,
    onWarning,
  };
  return {
    start: (request, options) => startTask(agent, request, options),
    task: (id, options) => openTask(agent, id, options),
  };
}
