import { InvalidArgumentError, type Command } from "commander";
import { TaskState, type ListTasksRequest, type ListTasksResponse } from "../../versions/pivot.js";
import { agentCommand, withClient } from "../command.js";
import type { Io } from "../io.js";
import { wholeNumber, type CallOptions } from "../options.js";
import { stateText } from "../task-text.js";

interface ListOptions extends CallOptions {
  readonly context?: string;
  readonly state?: TaskState;
  readonly pageSize?: number;
  readonly pageToken?: string;
}

const states = new Map(Object.values(TaskState).map((state) => [stateText(state), state]));

const toState = (value: string): TaskState => {
  const state = states.get(value.toLowerCase());
  if (!state) throw new InvalidArgumentError(`One of ${[...states.keys()].join(", ")}.`);
  return state;
};

/** `a2a-typed list <url>`: prints one page of tasks, newest first. */
export const listCommand = (io: Io): Command =>
  agentCommand("list", "list tasks, newest first")
    .option("--context <id>", "of one conversation")
    .option("--state <state>", "in this state (working, input-required, …)", toState)
    .option("--page-size <n>", "at most this many", wholeNumber(1))
    .option("--page-token <token>", "the page after an earlier one")
    .action(async (url: string, options: ListOptions) => {
      const request: ListTasksRequest = {
        ...(options.context !== undefined && { contextId: options.context }),
        ...(options.state && { status: options.state }),
        ...(options.pageSize !== undefined && { pageSize: options.pageSize }),
        ...(options.pageToken !== undefined && { pageToken: options.pageToken }),
      };
      const page = await withClient(url, options, io, (client) =>
        client.listTasks(request, { signal: io.signal }),
      );
      io.out(options.json ? JSON.stringify(page) + "\n" : pageText(page));
    });

function pageText({ tasks, totalSize, nextPageToken }: ListTasksResponse): string {
  const lines = tasks.map(({ id, status }) =>
    `${id}  ${stateText(status.state).padEnd(14)}  ${status.timestamp ?? ""}`.trimEnd(),
  );
  lines.push(`${tasks.length} of ${totalSize}`);
  if (nextPageToken) lines.push(`next page: --page-token ${nextPageToken}`);
  return lines.join("\n") + "\n";
}
