import { randomUUID } from "node:crypto";
import type { Json } from "../descriptor.js";
import { Role, type Message as PivotMessage, type Part as PivotPart } from "../versions/pivot.js";
import type { Artifact, Message, Task } from "./a2a-types.js";
import type { AgentRegistry } from "./agent-registry.js";
import type { FileStore } from "./file-store.js";
import { toMessage, toTask } from "./from-pivot.js";
import { milliseconds } from "./milliseconds.js";
import { filePart } from "./outgoing-files.js";
import type { A2ASessionOptions, GetTaskOptions, SendMessageOptions } from "./session-options.js";
import { Storage } from "./storage.js";
import { InMemoryTaskStore, type TaskStore } from "./task-store.js";
import { look, watchTask } from "./watch-task.js";

/** Conversations with agents by their ids. Tasks and files that come along are stored. */
export class A2ASession {
  readonly agents: AgentRegistry;
  readonly taskStore: TaskStore;
  readonly fileStore: FileStore | null;
  readonly #options: A2ASessionOptions;
  readonly #storage: Storage;

  constructor(agents: AgentRegistry, options: A2ASessionOptions = {}) {
    const { taskStore = new InMemoryTaskStore(), fileStore = null, onProblem = warn } = options;
    this.agents = agents;
    this.taskStore = taskStore;
    this.fileStore = fileStore;
    this.#options = options;
    this.#storage = new Storage(taskStore, fileStore, onProblem);
  }

  /**
   * Sends a message and waits until the task has ended or asks for something, or until the time is up: then the task comes
   * as it is, and so it does where the agent cannot be reached any more. Rejects with `INVALID_PARAMS` for an unknown agent, with `TIMEOUT` where the agent does not answer at all.
   */
  async sendMessage(
    agentId: string,
    message: string,
    options: SendMessageOptions = {},
  ): Promise<Task | Message> {
    const agent = await this.agents.open(agentId);
    const parts = await this.#partsOf(message, options);
    const timeoutMs = milliseconds("timeout", options.timeout ?? this.#options.sendMessageTimeout ?? 60);
    const pollMs = this.#pollMs();
    const deadline = performance.now() + timeoutMs;
    const reply = await agent.sendMessage(
      { message: await this.#messageOf(agentId, parts, options), configuration: { returnImmediately: true } },
      { timeoutMs },
    );
    if (reply.message) {
      const said = toMessage(reply.message);
      await this.#storage.keepMessage(said);
      return said;
    }
    const { task } = reply;
    // What is known of the task is worth more than why it could not be followed: with its id the caller can go on.
    const watched = await watchTask(agent, task.id, { deadline, pollMs, first: task }).catch(() => task);
    return this.#keep(agentId, toTask(watched));
  }

  /**
   * Waits until a task has ended or asks for something, or until the time is up: then the task comes as it is. Rejects where
   * the agent cannot be reached or does not know the task.
   */
  async getTask(agentId: string, taskId: string, options: GetTaskOptions = {}): Promise<Task> {
    const agent = await this.agents.open(agentId);
    const timeoutMs = milliseconds("timeout", options.timeout ?? this.#options.getTaskTimeout ?? 60);
    const deadline = performance.now() + timeoutMs;
    const pollMs = this.#pollMs(options.pollInterval);
    return this.#keep(agentId, toTask(await watchTask(agent, taskId, { deadline, pollMs })));
  }

  /** A task without waiting for it: as it was stored where it has ended, else as the agent has it now. */
  async loadTask(agentId: string, taskId: string): Promise<Task> {
    const kept = this.agents.ids.includes(agentId) ? await this.#storage.load(agentId, taskId) : undefined;
    if (kept?.sure && ended.has(kept.task.status.state)) return kept.task;
    try {
      const agent = await this.agents.open(agentId);
      const timeoutMs = milliseconds("getTaskTimeout", this.#options.getTaskTimeout ?? 60);
      return await this.#keep(agentId, toTask(await look(agent, taskId, timeoutMs)));
    } catch (error) {
      if (kept) return kept.task;
      throw error;
    }
  }

  /** Where the files of an artifact were saved. */
  filesOf(taskId: string, artifact: Artifact): Promise<readonly string[]> {
    return this.#storage.filesOf(taskId, artifact);
  }

  /** Where the files of a message were saved. */
  filesOfMessage(message: Message, taskId?: string): Promise<readonly string[]> {
    return this.#storage.filesOfMessage(message, taskId);
  }

  async #keep(agentId: string, task: Task): Promise<Task> {
    await this.#storage.keepTask(agentId, task);
    return task;
  }

  #pollMs(seconds?: number | null): number {
    return milliseconds("pollInterval", seconds ?? this.#options.getTaskPollInterval ?? 5);
  }

  async #messageOf(agentId: string, parts: PivotPart[], options: SendMessageOptions): Promise<PivotMessage> {
    const taskId = options.taskId ?? undefined;
    // The context of a task is its own: a new one would contradict it.
    const contextId =
      options.contextId ?? (taskId === undefined ? randomUUID() : await this.#contextOf(agentId, taskId));
    return {
      messageId: randomUUID(),
      role: Role.USER,
      parts,
      ...(contextId !== undefined && { contextId }),
      ...(taskId !== undefined && { taskId }),
    };
  }

  async #contextOf(agentId: string, taskId: string): Promise<string | undefined> {
    const kept = await this.#storage.load(agentId, taskId);
    return kept?.sure ? kept.task.contextId || undefined : undefined;
  }

  async #partsOf(message: string, { data, files }: SendMessageOptions): Promise<PivotPart[]> {
    const { fileRoots: roots, maxFileBytes: maxBytes = MAX_FILE_BYTES } = this.#options;
    const attached = await Promise.all((files ?? []).map((file) => filePart(file, { roots, maxBytes })));
    return [{ text: message }, ...(data ?? []).map((one) => ({ data: toJson(one) })), ...attached];
  }
}

/** What of a value JSON can say. */
function toJson(value: unknown): Json {
  const json: unknown = JSON.parse(JSON.stringify(value ?? null));
  return json as Json;
}

/** 1 MiB. */
const MAX_FILE_BYTES = 1_048_576;

const ended: ReadonlySet<string> = new Set(["completed", "canceled", "failed", "rejected"]);

const warn = (problem: string): void => {
  console.warn(problem);
};
