import type { Command } from "commander";
import { agentCommand, withClient } from "../command.js";
import { follow } from "../follow.js";
import type { Io } from "../io.js";
import { messageRequest, withMessageOptions, type MessageOptions } from "../message.js";
import type { CallOptions } from "../options.js";
import { remoteTasks } from "../remote-tasks.js";
import { withSaveOptions, type SaveOptions } from "../save-options.js";

/** `a2a-typed stream <url> <text|->`: sends a message and prints what comes, as it comes. */
export const streamCommand = (io: Io): Command =>
  withSaveOptions(
    withMessageOptions(agentCommand("stream", "send a message and print the reply as it comes")),
  ).action(async (url: string, text: string, options: CallOptions & MessageOptions & SaveOptions) => {
    const request = await messageRequest(text, options, io);
    await withClient(url, options, io, async (client) => {
      const run = await remoteTasks(client, options).start(request, { signal: io.signal });
      await follow(run, options, io);
    });
  });
