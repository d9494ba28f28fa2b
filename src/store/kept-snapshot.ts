import type { Snapshot, SnapshotLayout } from "./types.js";

/** A snapshot as it is kept: in one object, for there is one of each task. */
export class KeptSnapshot implements Snapshot {
  readonly at: number;
  readonly received: number;
  readonly text: string;
  declare readonly agent?: string;
  readonly #history: number;
  readonly #artifacts: number;
  readonly #messages: number;

  constructor(
    at: number,
    received: number,
    { text, layout }: { readonly text: string; readonly layout: SnapshotLayout },
    agent: string | undefined,
  ) {
    this.at = at;
    this.received = received;
    this.text = text;
    this.#history = layout.history;
    this.#artifacts = layout.artifacts;
    this.#messages = layout.messages;
    if (agent !== undefined) this.agent = agent;
  }

  get layout(): SnapshotLayout {
    return { history: this.#history, artifacts: this.#artifacts, messages: this.#messages };
  }
}
