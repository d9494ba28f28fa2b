import type { Artifact, Message, Part, Task } from "./a2a-types.js";
import type { FileStore } from "./file-store.js";
import { RecentMap } from "./recent-map.js";
import type { TaskStore } from "./task-store.js";

/** Most tasks and artifacts that a session knows the agent or the content of. */
const MOST = 1_000;

/** What a session keeps. A store that fails costs no answer: it is told to `report`. */
export class Storage {
  readonly #owners = new RecentMap<string>(MOST);
  readonly #saved = new RecentMap<string>(MOST);
  readonly #tasks: TaskStore;
  readonly #files: FileStore | null;
  readonly #report: (problem: string) => void;

  constructor(tasks: TaskStore, files: FileStore | null, report: (problem: string) => void) {
    this.#tasks = tasks;
    this.#files = files;
    this.#report = report;
  }

  /** Keeps a task and its files. Agents make ids themselves: a task of another agent is not replaced. */
  async keepTask(agentId: string, task: Task): Promise<void> {
    const owner = this.#owners.get(task.id) ?? agentId;
    if (owner !== agentId) {
      this.#report(
        `The agents ${owner} and ${agentId} both have a task ${task.id}: that of ${agentId} is not stored`,
      );
      return;
    }
    this.#owners.set(task.id, agentId);
    await this.#try(`The task ${task.id}`, () => this.#tasks.save(task));
    for (const artifact of task.artifacts ?? []) await this.#keepFiles(task.id, artifact);
    if (task.status.message) await this.keepMessage(task.status.message, task.id);
  }

  /** Keeps the files of a message. */
  async keepMessage(message: Message, taskId?: string): Promise<void> {
    await this.#keepFiles(folderOf(message, taskId), { artifactId: nameOf(message), parts: message.parts });
  }

  /** A task as it was last seen: `sure` where it is certainly this agent's, else whoever's it was in an earlier session. */
  async load(agentId: string, taskId: string): Promise<{ task: Task; sure: boolean } | undefined> {
    const owner = this.#owners.get(taskId);
    if (owner !== undefined && owner !== agentId) return undefined;
    const task = await this.#try(`The task ${taskId}`, () => this.#tasks.load(taskId));
    return task && { task, sure: owner === agentId };
  }

  /** Where the files of an artifact are. */
  async filesOf(taskId: string, artifact: Artifact): Promise<readonly string[]> {
    const files = this.#files;
    if (files === null || !hasFiles(artifact.parts)) return [];
    const { artifactId } = artifact;
    return (
      (await this.#try(`The files of artifact ${artifactId}`, () => files.get(taskId, artifactId))) ?? []
    );
  }

  /** Where the files of a message are. */
  filesOfMessage(message: Message, taskId?: string): Promise<readonly string[]> {
    return this.filesOf(folderOf(message, taskId), { artifactId: nameOf(message), parts: message.parts });
  }

  async #keepFiles(taskId: string, artifact: Artifact): Promise<void> {
    const files = this.#files;
    if (files === null || !hasFiles(artifact.parts)) return;
    const key = JSON.stringify([taskId, artifact.artifactId]);
    const state = JSON.stringify(artifact.parts.map(fingerprint));
    if (this.#saved.get(key) === state) return;
    await this.#try(`The files of artifact ${artifact.artifactId}`, async () => {
      await files.save(taskId, artifact);
      this.#saved.set(key, state);
    });
  }

  async #try<T>(what: string, act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act();
    } catch (error) {
      this.#report(`${what}: the store failed: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }
}

const hasFiles = (parts: readonly Part[]): boolean => parts.some(({ kind }) => kind === "file");

/** Tells a file from a later one in its place: artifacts grow, and whole ones are replaced. */
const fingerprint = (part: Part): unknown =>
  part.kind === "file"
    ? [part.file.name, part.file.uri, part.file.bytes?.length, part.file.bytes?.slice(-64)]
    : part.kind;

const folderOf = ({ taskId, contextId }: Message, task: string | undefined): string =>
  task ?? taskId ?? contextId ?? "messages";

const nameOf = ({ messageId }: Message): string => `message-${messageId}`;
