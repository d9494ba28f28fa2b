import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import type { TaskRecord } from "../task-record.js";
import { lineOf, type Change } from "./change.js";
import { imageOf } from "./task-image.js";

/** Bytes of an events file before what is no longer needed is taken out. */
const COMPACT = 256 * 1_024;

/** The two files of one task: what it is, and what was done since. */
export class TaskFile {
  /** Path without ending. */
  readonly path: string;
  /** Last line written. */
  seq: number;
  /** Bytes of the events file that hold. */
  size: number;
  #compactAt: number;
  readonly #fsync: boolean;

  constructor(path: string, fsync: boolean, seq = 0, size = 0) {
    this.path = path;
    this.#fsync = fsync;
    this.seq = seq;
    this.size = size;
    this.#compactAt = Math.max(COMPACT, 2 * size);
  }

  get json(): string {
    return `${this.path}.json`;
  }

  get log(): string {
    return `${this.path}.events`;
  }

  /** Adds a line; a file that is new, or whose lines are void, begins anew. */
  append(change: Change): void {
    const line = Buffer.from(lineOf(this.seq + 1, change));
    try {
      write(this.log, this.size === 0 ? "w" : "a", line, this.#fsync);
    } catch (error) {
      this.#cut();
      throw error;
    }
    this.seq += 1;
    this.size += line.length;
  }

  /** Writes the JSON file anew, in one step. Lines that it replaces go where they are many. */
  save(record: TaskRecord): void {
    replace(this.json, imageOf(record, this.seq), this.#fsync);
    if (record.events === undefined) this.dropLog();
    else if (this.size > this.#compactAt) this.#compact(record);
  }

  /** Whether the lines since the last save are many. */
  get isLong(): boolean {
    return this.size > this.#compactAt;
  }

  dropLog(): void {
    if (this.size > 0) rmSync(this.log, { force: true });
    this.size = 0;
  }

  /** The JSON file goes first: without it the task is gone. */
  remove(): void {
    rmSync(this.json, { force: true });
    rmSync(this.log, { force: true });
  }

  #compact({ events = [] }: TaskRecord): void {
    const line = lineOf(this.seq, { kind: "events", events });
    replace(this.log, line, this.#fsync);
    this.size = Buffer.byteLength(line);
    this.#compactAt = Math.max(COMPACT, 2 * this.size);
  }

  /** A line that was written in part must not stand before the next. */
  #cut(): void {
    try {
      truncateSync(this.log, this.size);
    } catch {
      // It is cut when it is read.
    }
  }
}

/** Text of a file, undefined where there is none. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function replace(path: string, text: string, fsync: boolean): void {
  const draft = `${path}.tmp`;
  write(draft, "w", Buffer.from(text), fsync);
  renameSync(draft, path);
  if (fsync) syncFolder(dirname(path));
}

function write(path: string, flags: "a" | "w", bytes: Buffer, fsync: boolean): void {
  const file = openSync(path, flags, 0o600);
  try {
    for (let from = 0; from < bytes.length;) from += writeSync(file, bytes, from);
    if (fsync) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function syncFolder(path: string): void {
  // Windows opens no folders; its renames are kept in order by the file system.
  if (process.platform === "win32") return;
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
