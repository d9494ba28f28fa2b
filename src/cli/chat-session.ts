import type { RemoteTask } from "../client.js";
import { isTerminal } from "../task/states.js";
import { userMessage, type SendMessageRequest } from "../versions/pivot.js";
import type { CliClient } from "./command.js";
import { createEventPrinter } from "./event-printer.js";
import { CliFailure } from "./failure.js";
import { fileSaver } from "./file-saver.js";
import type { Io } from "./io.js";
import { failUnlessDone } from "./outcome.js";
import { reasonOf } from "./reason-of.js";
import { remoteTasks } from "./remote-tasks.js";
import type { SaveOptions } from "./save-options.js";

/** Options of a conversation. */
export interface ChatOptions extends SaveOptions {
  readonly json?: true;
  readonly context?: string;
  readonly task?: string;
}

/** A conversation with an agent, one turn for each line. */
export class ChatSession {
  readonly #client: CliClient;
  readonly #options: ChatOptions;
  readonly #io: Io;
  readonly #saver: ReturnType<typeof fileSaver>;
  /** The task that waits for an answer. */
  #asking: RemoteTask | undefined;
  #contextId: string | undefined;
  #taskId: string | undefined;

  constructor(client: CliClient, options: ChatOptions, io: Io) {
    this.#client = client;
    this.#options = options;
    this.#io = io;
    this.#saver = fileSaver(options, io);
    this.#contextId = options.context;
    this.#taskId = options.task;
  }

  /** Whether the next line answers a question of the agent. */
  get asked(): boolean {
    return this.#asking !== undefined;
  }

  /** Says a line and prints what comes of it until the task rests. Throws where that fails, or the task did. */
  async say(line: string): Promise<void> {
    const turn = new AbortController();
    let run: RemoteTask | undefined = this.#asking;
    let canceling: Promise<void> | undefined;
    const restore = this.#io.onInterrupt(() => {
      if (canceling !== undefined || turn.signal.aborted) return false;
      if (run?.id === undefined) turn.abort();
      else canceling = this.#cancel(run);
      return true;
    });
    const idle = this.#io.busy?.();
    const printer = createEventPrinter(this.#io, this.#options.json ?? false);
    try {
      if (run === undefined) run = await this.#start(line, AbortSignal.any([this.#io.signal, turn.signal]));
      else await run.reply(line);
      for await (const event of run) {
        printer.print(event);
        await this.#saver.message(event.statusUpdate?.status.message);
      }
      await canceling;
      await this.#saver.task(run.task);
      await this.#saver.message(run.message);
    } catch (error) {
      // Whether it still waits for an answer is not known; the next line begins anew.
      await run?.close();
      run = undefined;
      if (turn.signal.aborted && !this.#io.signal.aborted)
        throw new CliFailure("given up before the agent had answered; it may have taken the message");
      throw error;
    } finally {
      restore();
      idle?.();
      if (!this.#options.json) printer.end();
      this.#contextId = run?.contextId ?? this.#contextId;
      const waits = run?.status !== undefined && !isTerminal(run.status.state);
      this.#asking = waits ? run : undefined;
    }
    if (run.id !== undefined) failUnlessDone(run.id, run.status);
  }

  /** Throws where a file was not saved. */
  end(): void {
    this.#saver.end();
  }

  async close(): Promise<void> {
    await this.#asking?.close();
  }

  async #start(line: string, signal: AbortSignal): Promise<RemoteTask> {
    const taskId = this.#taskId;
    this.#taskId = undefined;
    const request: SendMessageRequest = {
      message: userMessage(line, {
        ...(this.#contextId !== undefined && { contextId: this.#contextId }),
        ...(taskId !== undefined && { taskId }),
      }),
    };
    return remoteTasks(this.#client, this.#options).start(request, { signal });
  }

  /** What comes of it is an event like any other. */
  async #cancel(run: RemoteTask): Promise<void> {
    try {
      await run.cancel();
    } catch (error) {
      this.#io.err(`a2a-typed: not canceled: ${reasonOf(error)}\n`);
    }
  }
}
