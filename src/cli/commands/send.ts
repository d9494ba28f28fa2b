import { Option, type Command } from "commander";
import { agentCommand, withClient } from "../command.js";
import type { Io } from "../io.js";
import { messageRequest, withMessageOptions, type MessageOptions } from "../message.js";
import type { CallOptions } from "../options.js";
import { fileSaver } from "../file-saver.js";
import { failUnlessDone, nextStep } from "../outcome.js";
import { withSaveOptions, type SaveOptions } from "../save-options.js";
import { partText, taskText } from "../task-text.js";

interface SendOptions extends CallOptions, MessageOptions, SaveOptions {
  readonly immediately?: true;
}

/** `a2a-typed send <url> <text|->`: sends a message and prints the reply. */
export const sendCommand = (io: Io): Command =>
  withSaveOptions(withMessageOptions(agentCommand("send", "send a message and print the reply")))
    .addOption(new Option("--immediately", "do not wait for the task to finish"))
    .action(async (url: string, text: string, options: SendOptions) => {
      const request = await messageRequest(text, options, io);
      if (options.immediately) request.configuration = { returnImmediately: true };
      const reply = await withClient(url, options, io, (client) =>
        client.sendMessage(request, { signal: io.signal }),
      );
      if (options.json) io.out(JSON.stringify(reply) + "\n");
      else if (reply.task) io.out(taskText(reply.task) + nextStep(reply.task));
      else io.out(reply.message.parts.map(partText).join("") + "\n");
      const saver = fileSaver(options, io);
      await saver.task(reply.task);
      await saver.message(reply.message);
      if (reply.task) failUnlessDone(reply.task.id, reply.task.status);
      saver.end();
    });
