import { truncateSync } from "node:fs";
import { basename } from "node:path";
import type { MemoryData } from "../memory-data.js";
import type { TaskRecord } from "../task-record.js";
import type { StoredEvent } from "../types.js";
import { eventsOf, readLine, redo, type Change } from "./change.js";
import { Damaged } from "./decode.js";
import { fileNameOf } from "./file-name.js";
import { FileSnapshot } from "./file-snapshot.js";
import { readIfThere, TaskFile } from "./task-file.js";
import { readImage } from "./task-image.js";

/** A task as its files have it, in no list yet; undefined where there is none. Throws where they are damaged or not of this store. */
export function loadTask(
  data: MemoryData,
  path: string,
  fsync: boolean,
): { record: TaskRecord; file: TaskFile } | undefined {
  const json = readIfThere(`${path}.json`);
  if (json === undefined) return undefined;
  const image = readImage(data, json);
  const { record } = image;
  if (fileNameOf(record.scope, record.id) !== basename(path)) throw new Damaged("it has the name of another");
  const log = readIfThere(`${path}.events`) ?? "";
  const { lines, size } = readLog(log, image.seq);
  const kept = lines.filter(({ seq }) => seq <= image.seq).flatMap(({ change }) => [...eventsOf(change)]);
  record.events = eventsBetween(kept, image.replayFrom, record.revision);
  if (record.events === undefined && record.snapshot.at < record.revision)
    throw new Damaged("events are missing");
  let last = image.seq;
  for (const { seq, change } of lines) {
    if (seq <= image.seq) continue;
    redo(data, record, change);
    last = seq;
  }
  const file = new TaskFile(path, fsync, last, size);
  // What was not finished must not stand before the next line.
  if (size < Buffer.byteLength(log)) truncateSync(file.log, size);
  if (record.head.terminal) record.snapshot = new FileSnapshot(file.json, record.snapshot);
  return { record, file };
}

/** The lines that hold, and how many bytes they are: the last may have been written in part, or without the JSON file it needs. */
function readLog(log: string, saved: number): { lines: { seq: number; change: Change }[]; size: number } {
  const lines = [];
  let size = 0;
  const texts = log.split("\n");
  for (const [i, line] of texts.entries()) {
    if (i === texts.length - 1) break;
    const isLast = i === texts.length - 2;
    let read;
    try {
      read = readLine(line);
    } catch (error) {
      if (isLast) break;
      throw error;
    }
    if (read.seq > saved && read.change.kind === "commit" && read.change.saved) break;
    lines.push(read);
    size += Buffer.byteLength(line) + 1;
  }
  return { lines, size };
}

/** Events after `from` up to `to`; undefined unless all are there. */
function eventsBetween(events: readonly StoredEvent[], from: number, to: number): StoredEvent[] | undefined {
  const found = events.filter(({ n }) => n > from && n <= to);
  const whole = found.length === to - from && found.every(({ n }, i) => n === from + 1 + i);
  return whole && found.length > 0 ? found : undefined;
}
