import { readFile, rm } from "node:fs/promises";
import { A2AError } from "../errors.js";
import type { Task } from "./a2a-types.js";
import { isMissing } from "./is-missing.js";
import { isRecord } from "./is-record.js";
import { safeName } from "./safe-name.js";
import type { TaskStore } from "./task-store.js";
import { writeFileWhole } from "./write-file.js";

/**
 * Tasks as JSON files in a folder: `<folder>/<task id>.json`. Ids that are no plain names (upper case, dots, slashes, …) get
 * a digest into their file name, so that no id leads out of the folder or to the task of another one.
 */
export class JSONTaskStore implements TaskStore {
  readonly #folder: string;

  /** @param folder is made with the first task. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async save(task: Task): Promise<void> {
    await writeFileWhole(this.#path(task.id), JSON.stringify(task, null, 2) + "\n");
  }

  /** Rejects with `DECODE` where the file is not what `save` wrote. */
  async load(taskId: string): Promise<Task | undefined> {
    const path = this.#path(taskId);
    let text: string;
    try {
      text = await readFile(path, "utf8");
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
    const task = parse(text);
    if (isTask(task, taskId)) return task;
    throw new A2AError(
      "DECODE",
      `${path} is not the task ${taskId}: delete it, and it will be written again`,
    );
  }

  async delete(taskId: string): Promise<void> {
    await rm(this.#path(taskId), { force: true });
  }

  #path(taskId: string): string {
    return `${this.#folder}/${safeName(taskId)}.json`;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isTask = (value: unknown, id: string): value is Task =>
  isRecord(value) && value["id"] === id && isRecord(value["status"]);
