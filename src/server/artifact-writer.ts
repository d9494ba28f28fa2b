import { later } from "../task/clock.js";
import type { EventFrame } from "../task/event-record.js";
import type { Artifact, Part } from "../versions/pivot.js";
import type { ArtifactWriter, OpenOptions } from "./agent-types.js";
import { toArtifact, toPart } from "./content.js";

/** One chunk of an artifact, on its way to the task. */
export interface Chunk {
  readonly artifact: Artifact;
  readonly append: boolean;
  readonly lastChunk: boolean;
  /** Set for a plain text that is appended, which most chunks are. */
  readonly frame?: EventFrame | undefined;
}

/** Where chunks go. */
export interface ChunkSink {
  /** Throws `TaskFinished` where nothing may be added any more. */
  check(): void;
  chunk(chunk: Chunk): void;
  /** The event text around an appended text of an artifact. */
  frame(artifactId: string): EventFrame;
  /** Pending while the producer should wait. */
  ready(): Promise<void> | undefined;
  closed(writer: GrowingArtifact): void;
  /** A batch that came to nothing, because the task ended first. */
  dropped(error: unknown): void;
}

const BATCH_SIZE = 16_384;
const DONE = Promise.resolve();

/** An artifact that grows by what is written: first chunk, appended chunks, last chunk. */
export class GrowingArtifact implements ArtifactWriter {
  readonly artifactId: string;
  readonly #sink: ChunkSink;
  readonly #head: Omit<Artifact, "artifactId" | "parts">;
  readonly #batchMs: number;
  readonly #batchSize: number;
  #text = "";
  #stopTimer: (() => void) | undefined;
  #frame: EventFrame | undefined;
  #sent = false;
  #open = true;

  constructor(sink: ChunkSink, options: OpenOptions = {}) {
    const { batchMs, batchBytes, ...described } = options;
    this.#sink = sink;
    // As an artifact of one empty text it is checked before anything is written.
    const { artifactId, parts: _text, ...head } = toArtifact("", described);
    this.artifactId = artifactId;
    this.#head = head;
    this.#batchMs = batchMs ?? 0;
    this.#batchSize = batchBytes ?? BATCH_SIZE;
  }

  write(content: string | Part): Promise<void> {
    this.#sink.check();
    if (!this.#open) throw new TypeError(`Artifact ${this.artifactId} is closed`);
    if (typeof content !== "string") {
      const part = toPart(content);
      this.flush();
      this.#send(part, false);
    } else if (this.#batchMs <= 0) {
      this.#send({ text: content }, false, true);
    } else {
      this.#text += content;
      if (this.#text.length >= this.#batchSize) this.flush();
      else this.#stopTimer ??= later(this.#batchMs, () => this.#timeout());
    }
    return this.#sink.ready() ?? DONE;
  }

  flush(): void {
    const part = this.#takeText();
    if (part !== undefined) this.#send(part, false, true);
  }

  close(): Promise<void> {
    this.end();
    return this.#sink.ready() ?? DONE;
  }

  /** Sends the last chunk: what waits, or an empty text, since the mark needs a chunk and a chunk a part. */
  end(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#sink.closed(this);
    const part = this.#takeText() ?? (this.#sent ? { text: "" } : undefined);
    if (part === undefined) return;
    try {
      this.#send(part, true);
    } catch (error) {
      // A handler that tidies up after the end of its task has done nothing wrong.
      this.#sink.dropped(error);
    }
  }

  /** The task is over: what waits is dropped. */
  abandon(): void {
    this.#open = false;
    this.#takeText();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #timeout(): void {
    try {
      this.#sink.check();
      this.flush();
    } catch (error) {
      this.#sink.dropped(error);
    }
  }

  #takeText(): Part | undefined {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    if (this.#text === "") return undefined;
    const part: Part = { text: this.#text };
    this.#text = "";
    return part;
  }

  /** `plain`: the part is a text and nothing else. */
  #send(part: Part, lastChunk: boolean, plain = false): void {
    const { artifactId } = this;
    if (this.#sent) {
      const frame = plain && !lastChunk ? (this.#frame ??= this.#sink.frame(artifactId)) : undefined;
      this.#sink.chunk({ artifact: { artifactId, parts: [part] }, append: true, lastChunk, frame });
    } else {
      this.#sent = true;
      const artifact = { artifactId, ...this.#head, parts: [part] };
      this.#sink.chunk({ artifact, append: false, lastChunk });
    }
  }
}
