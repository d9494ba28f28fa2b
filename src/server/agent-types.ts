import type { JsonObject } from "../descriptor.js";
import type { Granted } from "../granted.js";
import type { Logger } from "../logger.js";
import type { TraceContext } from "../telemetry/trace-context.js";
import type { AgentCard, Artifact, Message, Part, StreamResponse, Task } from "../versions/pivot.js";
import type { Outcome } from "./outcomes.js";

export type { Logger } from "../logger.js";
export type { Outcome } from "./outcomes.js";

/** What a message or an artifact is made of: text, one part, or several. */
export type Content = string | Part | readonly Part[];

/**
 * What a handler may return. Nothing: COMPLETED. Text or parts: a final artifact and COMPLETED.
 * A `Message`: as `ctx.message(m)`. An `Outcome`: what it says.
 */
export type Result = string | Part | readonly Part[] | Message | Outcome | void;

/** What a generator handler may yield: text and parts grow one artifact, an `Artifact` stands for itself. */
export type Yield = string | Part | Artifact;

/** The agent's work on one message: an async function, or an async generator of content. */
export type Handler<State extends object = JsonObject> = (
  ctx: Ctx<State>,
  message: Message,
) => Promise<Result> | AsyncGenerator<Yield, Result, void>;

/** Extra members of a status. */
export interface StatusOptions {
  /** Metadata of the status update event. */
  readonly metadata?: JsonObject;
}

/** Members of an artifact besides its parts. */
export interface ArtifactOptions {
  /** Unique within the task; minted where absent. The id of an earlier artifact replaces that one. */
  readonly artifactId?: string;
  readonly name?: string;
  readonly description?: string;
  /** Metadata of the artifact. */
  readonly metadata?: JsonObject;
  /** URIs of the extensions that contributed to it. */
  readonly extensions?: readonly string[];
}

/** Options of `ctx.open`. */
export interface OpenOptions extends ArtifactOptions {
  /** Text written within this many milliseconds is joined into one event. Default 0: an event per write. */
  readonly batchMs?: number;
  /** A batch is sent as soon as it holds this many characters. Default 16,384. */
  readonly batchBytes?: number;
}

/** A growing artifact: it owns `artifactId`, `append` and `lastChunk`. Closed by the outcome if not before. */
export interface ArtifactWriter extends AsyncDisposable {
  readonly artifactId: string;
  /**
   * Adds text or a part, at once and in order; throws `TaskFinished` after the end.
   * The promise never rejects: it is pending while too many events wait for the store (back-pressure).
   */
  write(content: string | Part): Promise<void>;
  /** Sends what a batch still holds. */
  flush(): void;
  /** Ends the artifact with `lastChunk`; a further call does nothing. */
  close(): Promise<void>;
}

/** Messages that arrived while the handler runs; those never taken start the next turn. Iteration ends with the run. */
export interface Inbox extends AsyncIterable<Message> {
  /** Messages waiting. */
  readonly size: number;
  /** Takes the oldest waiting message, if there is one. */
  take(): Message | undefined;
}

/** The effects on a task. Each acts when called, in order; after the end they throw `TaskFinished` and change nothing. */
export interface TaskEffects {
  /** Id of the task. */
  readonly taskId: string;
  readonly contextId: string;
  /** The task as it is now: a copy. */
  readonly task: Task;
  /** Status WORKING, with a note where given. */
  working(note?: Content | Message, options?: StatusOptions): void;
  /** Adds a whole artifact, or replaces the one with the same id. Returns it. */
  artifact(content: Content | Artifact, options?: ArtifactOptions): Artifact;
  /** Opens an artifact that grows. */
  open(options?: OpenOptions): ArtifactWriter;
  /** Ends the task as COMPLETED. */
  completed(note?: Content | Message, options?: StatusOptions): Outcome;
  /** Ends the task as FAILED; the note is public. */
  failed(note?: Content | Message, options?: StatusOptions): Outcome;
  /** Ends the task as REJECTED: the agent will not do it. */
  rejected(note?: Content | Message, options?: StatusOptions): Outcome;
  /** Ends the task as CANCELED, for handlers that clean up first (`cancel: "cooperative"`). */
  canceled(note?: Content | Message, options?: StatusOptions): Outcome;
  /** Pauses as INPUT_REQUIRED: the next message runs the handler again, `ctx.turn` + 1. */
  inputRequired(question?: Content | Message, options?: StatusOptions): Outcome;
  /** Pauses as AUTH_REQUIRED: the note says which credentials and where. */
  authRequired(note?: Content | Message, options?: StatusOptions): Outcome;
}

/** What a handler sees of its run. */
export interface Ctx<State extends object = JsonObject> extends TaskEffects {
  /** Answers with a message: directly where no task exists yet, else as status message of COMPLETED. */
  message(reply: Content | Message): Outcome;
  /** Leaves the task WORKING without a runner; `server.task(id)` goes on with it. */
  detached(note?: Content | Message, options?: StatusOptions): Outcome;
  /** JSON kept with the task from turn to turn; change it in place or replace it. */
  state: State;
  /** 1 for the first message of a task, then one more for each run. */
  readonly turn: number;
  /** 1, or more where the run was started again because its process was gone (`recovery: "rerun"`). */
  readonly attempt: number;
  /**
   * What happened to the task before this run was started again, in order: the task as it began, or as it was where the
   * store has not kept all of it, then its events. Empty at the first attempt.
   */
  readonly earlier: readonly StreamResponse[];
  readonly inbox: Inbox;
  /** Aborted when the task is canceled (reason `TaskCanceled`), lost to another owner, or the server closes. */
  readonly signal: AbortSignal;
  /** Who calls, as the `auth` option found. */
  readonly principal: unknown;
  /** Schemes of the card that the caller showed, with the scopes of each; undefined for anonymous callers. */
  readonly granted: Granted | undefined;
  /** Throws `UNAUTHENTICATED` or `PERMISSION_DENIED` where the caller may not use a skill of the card. */
  requireSkill(skillId: string): void;
  readonly tenant: string | undefined;
  /** Metadata of the request. */
  readonly metadata: JsonObject | undefined;
  /** URIs of the extensions that are active for the request. */
  readonly extensions: readonly string[];
  /** Media types that the caller takes; empty: no wish. */
  readonly acceptedOutputModes: readonly string[];
  /** W3C trace context of this run, for calls of other agents: see `traceContext`. */
  readonly trace: TraceContext | undefined;
  readonly log: Logger;
  /** Tasks named in `referenceTaskIds` that the caller may see. */
  references(): Promise<Task[]>;
}

/** The card as an agent gives it; interfaces and what is left out are filled in when it is served. */
export type AgentCardInput = Pick<AgentCard, "name" | "description" | "skills"> &
  Partial<Omit<AgentCard, "name" | "description" | "skills">>;

/** An agent: its card and what it does with a message. */
export interface AgentDefinition<State extends object = JsonObject> {
  /**
   * Defaults: `version` "1.0.0", `defaultInputModes` and `defaultOutputModes` ["text/plain"],
   * `capabilities` { streaming: true }, `supportedInterfaces` those that are served.
   */
  readonly card: AgentCardInput;
  readonly handle: Handler<State>;
  /**
   * `task` (default): every message without a task opens one before the handler starts. `message`: never a task.
   * `auto`: nothing is stored until the first effect or `autoDelayMs`; until then `ctx.message` answers directly.
   */
  readonly replies?: "task" | "message" | "auto";
  /** Milliseconds that `replies: "auto"` waits for an effect. Default 100. */
  readonly autoDelayMs?: number;
  /** Messages to a running task: `queue` (default) offers them on `ctx.inbox`, `reject` answers UNSUPPORTED_OPERATION. */
  readonly inbox?: "queue" | "reject";
  /** `immediate` (default): CANCELED at once. `cooperative`: the handler may end by itself within `cancelGraceMs`. */
  readonly cancel?: "immediate" | "cooperative";
  /** Milliseconds that a cooperative cancel waits. Default 5,000. */
  readonly cancelGraceMs?: number;
  /** Milliseconds without an effect after which a detached task is FAILED. Default 24 h. */
  readonly detachedTimeout?: number;
  /**
   * What becomes of a task whose process is gone, in a store that outlives it. `fail` (default): FAILED. `rerun`: the handler
   * is called again with the message that the run began with; what it may know of the request, the principal included, is
   * kept in the store as JSON until the run is over.
   */
  readonly recovery?: "fail" | "rerun";
  /** Attempts at one run with `recovery: "rerun"`, the first included; then the task is FAILED. Default 3. */
  readonly maxAttempts?: number;
}

/** A checked agent, as `defineAgent` returns it. */
export interface Agent {
  readonly card: AgentCard;
  readonly handle: Handler;
  readonly replies: "task" | "message" | "auto";
  readonly autoDelayMs: number;
  readonly inbox: "queue" | "reject";
  readonly cancel: "immediate" | "cooperative";
  readonly cancelGraceMs: number;
  readonly detachedTimeout: number;
  readonly recovery: "fail" | "rerun";
  readonly maxAttempts: number;
}
