import type { LiveTask } from "../task/live-task.js";
import { timestamp } from "../task/clock.js";
import type {
  Artifact,
  Message,
  StreamResponse,
  Task,
  TaskArtifactUpdateEvent,
  TaskStatus,
} from "../versions/pivot.js";
import { streamResponseTable, TaskState } from "../versions/pivot.js";
import type {
  ArtifactOptions,
  ArtifactWriter,
  Content,
  OpenOptions,
  StatusOptions,
  TaskEffects,
} from "./agent-types.js";
import { GrowingArtifact, type Chunk, type ChunkSink } from "./artifact-writer.js";
import { checked } from "./checked.js";
import { TextFrame } from "../task/text-frame.js";
import { copyJson, toArtifact, toMessage } from "./content.js";
import type { Outcome } from "./outcomes.js";
import { TaskFinished } from "./task-errors.js";

/** The task that effects act on, and what those who hold it must know of. */
export interface EffectScene {
  readonly taskId: string;
  readonly contextId: string;
  now(): number;
  /** The live task, if there is one already. */
  readonly current: LiveTask | undefined;
  /** The live task, made now where the run has none yet. Throws where there can be none. */
  live(): LiveTask;
  /** The task as it would be, where there is none yet. */
  provisional?(): Task;
  /** Set once an outcome was given: nothing may follow. */
  ended: boolean;
  /** Before the task pauses: what the agent keeps is saved with it. */
  beforePause?(): void;
  warn(message: string, error: unknown): void;
}

/** The client must be told something (A2A-7.6.1-c). */
const NEEDS_AUTH = "This needs an authorization before it can go on.";

const TASK: Outcome = { outcome: "task" };

/** The effects of handlers and of `server.task()`, on one scene. */
export class Effects implements TaskEffects, ChunkSink {
  readonly scene: EffectScene;
  #writers: Set<GrowingArtifact> | undefined;

  constructor(scene: EffectScene) {
    this.scene = scene;
  }

  get taskId(): string {
    return this.scene.taskId;
  }

  get contextId(): string {
    return this.scene.contextId;
  }

  get task(): Task {
    return copyJson(this.scene.provisional?.() ?? this.scene.live().task);
  }

  working(note?: Content | Message, options?: StatusOptions): void {
    this.#emit([this.#status(TaskState.WORKING, note, options)]);
  }

  artifact(content: Content | Artifact, options?: ArtifactOptions): Artifact {
    const artifact = toArtifact(content, options);
    this.#emit([this.#update({ artifact, append: false, lastChunk: true })]);
    return { ...artifact, parts: [...artifact.parts] };
  }

  open(options?: OpenOptions): ArtifactWriter {
    this.check();
    const writer = new GrowingArtifact(this, options);
    (this.#writers ??= new Set()).add(writer);
    return writer;
  }

  completed(note?: Content | Message, options?: StatusOptions): Outcome {
    return this.end(TaskState.COMPLETED, note, options);
  }

  failed(note?: Content | Message, options?: StatusOptions): Outcome {
    return this.end(TaskState.FAILED, note, options);
  }

  rejected(note?: Content | Message, options?: StatusOptions): Outcome {
    return this.end(TaskState.REJECTED, note, options);
  }

  canceled(note?: Content | Message, options?: StatusOptions): Outcome {
    return this.end(TaskState.CANCELED, note, options);
  }

  inputRequired(question?: Content | Message, options?: StatusOptions): Outcome {
    this.scene.beforePause?.();
    return this.end(TaskState.INPUT_REQUIRED, question, options);
  }

  authRequired(note: Content | Message = NEEDS_AUTH, options?: StatusOptions): Outcome {
    this.scene.beforePause?.();
    return this.end(TaskState.AUTH_REQUIRED, note, options);
  }

  /** A final artifact and COMPLETED, in one commit. */
  finishWith(content: Content): Outcome {
    const artifact = toArtifact(content);
    this.#close();
    this.#emit([
      this.#update({ artifact, append: false, lastChunk: true }),
      this.#status(TaskState.COMPLETED),
    ]);
    this.scene.ended = true;
    return TASK;
  }

  /** Any outcome: open artifacts are closed first. */
  end(state: TaskState, note?: Content | Message, options?: StatusOptions): Outcome {
    const status = this.#status(state, note, options);
    this.check();
    this.#close();
    this.#emit([status]);
    this.scene.ended = true;
    return TASK;
  }

  check(): void {
    if (this.scene.ended)
      throw new TaskFinished(`The outcome of task ${this.taskId} was given: nothing may follow`);
    const live = this.scene.current;
    if (live === undefined) return;
    if (live.lost !== undefined) throw new TaskFinished(live.lost.message);
    if (live.terminal) throw new TaskFinished(`Task ${this.taskId} ended as ${live.state}`);
  }

  chunk(chunk: Chunk): void {
    this.check();
    this.scene.live().emit([this.#update(chunk)]);
  }

  append(text: string, frame: TextFrame): void {
    this.check();
    this.scene.live().append(text, frame);
  }

  frame(artifactId: string): TextFrame {
    return new TextFrame(this.taskId, this.contextId, artifactId);
  }

  ready(): Promise<void> | undefined {
    return this.scene.current?.ready();
  }

  closed(writer: GrowingArtifact): void {
    this.#writers?.delete(writer);
  }

  dropped(error: unknown): void {
    if (error instanceof TaskFinished) return;
    this.scene.warn(`task ${this.taskId}: text that waited for its batch came after the end`, error);
  }

  /** The task is over: what open artifacts still hold is dropped. */
  abandon(): void {
    if (this.#writers === undefined) return;
    for (const writer of this.#writers) writer.abandon();
    this.#writers = undefined;
  }

  #close(): void {
    if (this.#writers === undefined) return;
    for (const writer of [...this.#writers]) writer.end();
  }

  #emit(events: readonly StreamResponse[]): void {
    this.check();
    const first = this.scene.current === undefined;
    const live = this.scene.live();
    // The task is made by this effect, after the time of it was taken: its own would be the later one.
    if (first)
      for (const { statusUpdate } of events) if (statusUpdate) statusUpdate.status.timestamp = this.#now();
    for (const event of events) {
      const reason = live.refuses(event);
      if (reason !== undefined) throw new TaskFinished(reason);
    }
    live.emit(events);
  }

  #now(): string {
    return timestamp(this.scene.now());
  }

  #status(state: TaskState, note?: Content | Message, options?: StatusOptions): StreamResponse {
    const { taskId, contextId } = this.scene;
    const timestamp = this.#now();
    const status: TaskStatus =
      note === undefined
        ? { state, timestamp }
        : { state, message: toMessage(note, contextId, taskId), timestamp };
    if (!options?.metadata) return { statusUpdate: { taskId, contextId, status } };
    const metadata = copyJson(options.metadata);
    return checked(streamResponseTable, { statusUpdate: { taskId, contextId, status, metadata } }, "");
  }

  #update({ artifact, append, lastChunk }: Chunk): StreamResponse {
    const { taskId, contextId } = this.scene;
    const artifactUpdate: TaskArtifactUpdateEvent = { taskId, contextId, artifact };
    if (append) artifactUpdate.append = true;
    if (lastChunk) artifactUpdate.lastChunk = true;
    return { artifactUpdate };
  }
}
