import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { A2AError } from "../../errors.js";
import type { MemoryData, RecordWatcher } from "../memory-data.js";
import type { TaskRecord } from "../task-record.js";
import type { CommitEntry } from "../types.js";
import type { Change } from "./change.js";
import { fileNameOf } from "./file-name.js";
import { FileSnapshot } from "./file-snapshot.js";
import { lockFolder } from "./folder-lock.js";
import { loadTask } from "./load-task.js";
import { TaskFile } from "./task-file.js";

/** The files of all tasks. What cannot be written is undone in memory, and thrown. */
export class Folder implements RecordWatcher {
  readonly #dir: string;
  readonly #fsync: boolean;
  readonly #files = new Map<TaskRecord, TaskFile>();
  #data: MemoryData | undefined;
  #unlock: (() => void) | undefined;

  constructor(dir: string, fsync: boolean) {
    this.#dir = dir;
    this.#fsync = fsync;
  }

  /** Reads all tasks; what is damaged or foreign is reported and left where it is. */
  open(data: MemoryData, report: (problem: string) => void): void {
    this.#unlock = lockFolder(this.#dir);
    this.#data = data;
    const found: TaskRecord[] = [];
    for (const name of readdirSync(this.#dir)) {
      if (name.endsWith(".tmp")) rmSync(join(this.#dir, name), { force: true });
      if (!name.endsWith(".json")) continue;
      const record = this.#load(name.slice(0, -".json".length), (problem) => {
        report(`store: ${join(this.#dir, name)} was skipped: ${problem}`);
      });
      if (record !== undefined) found.push(record);
    }
    const key = ({ head, id }: TaskRecord): string => `${head.timestamp} ${id}`;
    found.sort((a, b) => (key(a) < key(b) ? -1 : 1));
    for (const record of found) data.restore(record);
    const letters = found.flatMap(({ letters }) => [...(letters?.values() ?? [])]);
    letters.sort((a, b) => a.seq - b.seq);
    for (const kept of letters) if (kept.answer === undefined) data.unanswered.add(kept);
    data.letter = (letters.at(-1)?.seq ?? 0) + 1;
  }

  create(record: TaskRecord, entry: CommitEntry): void {
    const file = new TaskFile(this.#path(record), this.#fsync);
    try {
      this.#checkOpen();
      if (record.events !== undefined) file.append({ kind: "commit", entry, saved: true });
      this.#save(record, file);
    } catch (error) {
      this.#data?.remove(record);
      throw error;
    }
    this.#files.set(record, file);
  }

  commit(record: TaskRecord, entry: CommitEntry): void {
    if (entry.snapshot === undefined) {
      this.write(record, { kind: "commit", entry });
      return;
    }
    this.#guard(record, (file) => {
      if (record.events !== undefined && entry.events.length > 0) {
        file.append({ kind: "commit", entry, saved: true });
      }
      this.#save(record, file);
    });
  }

  /** Notes what was done to a task. */
  write(record: TaskRecord, change: Change): void {
    this.#guard(record, (file) => {
      file.append(change);
      if (file.isLong) this.#save(record, file);
    });
  }

  removing(record: TaskRecord): void {
    const file = this.#files.get(record);
    if (file === undefined) return;
    this.#checkOpen();
    file.remove();
    this.#files.delete(record);
  }

  trimmed(record: TaskRecord): void {
    this.#guard(record, (file) => {
      this.#save(record, file);
    });
  }

  /** The folder is still ours. */
  get isOpen(): boolean {
    return this.#unlock !== undefined;
  }

  close(): void {
    this.#unlock?.();
    this.#unlock = undefined;
  }

  #save(record: TaskRecord, file: TaskFile): void {
    file.save(record);
    // The text of a task at rest is read when it is asked for.
    if (record.head.terminal) record.snapshot = new FileSnapshot(file.json, record.snapshot);
  }

  #guard(record: TaskRecord, write: (file: TaskFile) => void): void {
    const file = this.#files.get(record);
    try {
      this.#checkOpen();
      if (file !== undefined) write(file);
    } catch (error) {
      this.#undo(record);
      throw error;
    }
  }

  /** Memory goes back to what the files say. */
  #undo(record: TaskRecord): void {
    this.#files.delete(record);
    this.#data?.remove(record);
    const before = this.#load(fileNameOf(record.scope, record.id), () => undefined);
    if (before === undefined) return;
    this.#data?.restore(before);
    for (const kept of before.letters?.values() ?? []) {
      if (kept.answer === undefined) this.#data?.unanswered.add(kept);
    }
  }

  #load(name: string, failed: (problem: string) => void): TaskRecord | undefined {
    if (this.#data === undefined) return undefined;
    try {
      const task = loadTask(this.#data, join(this.#dir, name), this.#fsync);
      if (task === undefined) return undefined;
      this.#files.set(task.record, task.file);
      return task.record;
    } catch (error) {
      failed(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  #path({ scope, id }: TaskRecord): string {
    return join(this.#dir, fileNameOf(scope, id));
  }

  #checkOpen(): void {
    if (this.#unlock === undefined) throw new A2AError("CONFIG", "store: the file store was closed");
  }
}
