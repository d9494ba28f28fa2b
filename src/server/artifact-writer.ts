import { later } from "../task/clock.js";
import type { TextFrame } from "../task/text-frame.js";
import type { Artifact, Part } from "../versions/pivot.js";
import type { ArtifactWriter, OpenOptions } from "./agent-types.js";
import { toArtifact, toPart } from "./content.js";

/** One chunk of an artifact, on its way to the task. */
export interface Chunk {
  readonly artifact: Artifact;
  readonly append: boolean;
  readonly lastChunk: boolean;
}

/** Where chunks go. */
export interface ChunkSink {
  /** Throws `TaskFinished` where nothing may be added any more. */
  check(): void;
  chunk(chunk: Chunk): void;
  /** A chunk that adds a plain text, which most do; throws as `check`. */
  append(text: string, frame: TextFrame): void;
  /** What is around the texts that are added to an artifact. */
  frame(artifactId: string): TextFrame;
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
  #frame: TextFrame | undefined;
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
    if (!this.#open) {
      this.#sink.check();
      throw new TypeError(`Artifact ${this.artifactId} is closed`);
    }
    if (typeof content !== "string") {
      this.#sink.check();
      const part = toPart(content);
      this.flush();
      this.#send(part, false);
    } else if (this.#batchMs <= 0) {
      this.#append(content);
    } else {
      this.#sink.check();
      this.#text += content;
      if (this.#text.length >= this.#batchSize) this.flush();
      else this.#stopTimer ??= later(this.#batchMs, () => this.#timeout());
    }
    return this.#sink.ready() ?? DONE;
  }

  flush(): void {
    const text = this.#takeText();
    if (text !== undefined) this.#append(text);
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
    const text = this.#takeText() ?? (this.#sent ? "" : undefined);
    if (text === undefined) return;
    try {
      this.#send({ text }, true);
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

  #takeText(): string | undefined {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    const text = this.#text;
    this.#text = "";
    return text === "" ? undefined : text;
  }

  #append(text: string): void {
    if (this.#sent) this.#sink.append(text, (this.#frame ??= this.#sink.frame(this.artifactId)));
    else this.#send({ text }, false);
  }

  #send(part: Part, lastChunk: boolean): void {
    const { artifactId } = this;
    if (this.#sent) {
      this.#sink.chunk({ artifact: { artifactId, parts: [part] }, append: true, lastChunk });
    } else {
      this.#sent = true;
      const artifact = { artifactId, ...this.#head, parts: [part] };
      this.#sink.chunk({ artifact, append: false, lastChunk });
    }
  }
}
