import { readFileSync } from "node:fs";
import type { Snapshot, SnapshotLayout, StoredTask } from "../types.js";
import { members, text } from "./decode.js";

/** The snapshot of a task at rest: its text stays in the file. */
export class FileSnapshot implements Snapshot {
  readonly at: number;
  readonly received: number;
  readonly layout?: SnapshotLayout;
  readonly agent?: string;
  readonly #path: string;

  constructor(path: string, { at, received, layout, agent }: Snapshot) {
    this.#path = path;
    this.at = at;
    this.received = received;
    if (layout !== undefined) this.layout = layout;
    if (agent !== undefined) this.agent = agent;
  }

  get text(): string {
    return text(members(members(JSON.parse(readFileSync(this.#path, "utf8")))["snapshot"])["text"]);
  }
}

/** A task with its text read: its file may be gone when it is looked at. */
export function loaded(task: StoredTask): StoredTask {
  const { snapshot } = task;
  if (!(snapshot instanceof FileSnapshot)) return task;
  const { at, received, layout, agent, text } = snapshot;
  const plain = { at, received, text, ...(layout && { layout }), ...(agent !== undefined && { agent }) };
  return { ...task, snapshot: plain };
}
