import type { AgentCard, TaskState } from "./a2a-types.js";

/** An agent as `A2AAgents` keeps it. It may hold secrets: not for the eyes of a model. */
export interface AgentURLAndCustomHeaders {
  readonly agentCard: AgentCard;
  readonly customHeaders: Readonly<Record<string, string>>;
}

/** Text for a model. What begins with `_` is there where the text was minimized, and says what was left out. */
export interface TextPartForLLM {
  readonly kind: "text";
  readonly text: string;
  readonly _total_lines?: number;
  readonly _total_characters?: number;
  /** Lines of the beginning that is shown, from 1: `1-40`. */
  readonly _start_line_range?: string;
  readonly _end_line_range?: string;
  /** Characters of the beginning that is shown, from 0, the end not included: `0-25000`. */
  readonly _start_character_range?: string;
  readonly _end_character_range?: string;
  readonly _tip?: string;
}

/** JSON for a model, or a summary of it. */
export interface DataPartForLLM {
  readonly kind: "data";
  readonly data: unknown;
}

/** A file for a model: where it is, never its bytes. At most one of `uri` and `bytes` is not null. */
export interface FilePartForLLM {
  readonly kind: "file";
  readonly name: string | null;
  readonly mimeType: string | null;
  /** The address of the file, or `{ _saved_to: [paths] }` where it was saved. */
  readonly uri: string | Readonly<Record<string, unknown>> | null;
  /** `{ _saved_to: [paths] }`, or `{ _error: "…" }` where nothing saved it. */
  readonly bytes: Readonly<Record<string, unknown>> | null;
}

/** A part for a model. */
export type PartForLLM = TextPartForLLM | DataPartForLLM | FilePartForLLM;

/** A message for a model. */
export interface MessageForLLM {
  readonly contextId: string | null;
  readonly kind: "message";
  readonly parts: readonly PartForLLM[];
}

/** An artifact for a model. */
export interface ArtifactForLLM {
  readonly artifactId: string;
  readonly description: string | null;
  readonly name: string | null;
  readonly parts: readonly PartForLLM[];
}

/** The state of a task, for a model. */
export interface TaskStatusForLLM {
  readonly state: TaskState;
  readonly message: MessageForLLM | null;
}

/** A task for a model. */
export interface TaskForLLM {
  readonly id: string;
  readonly contextId: string;
  readonly kind: "task";
  readonly status: TaskStatusForLLM;
  readonly artifacts: readonly ArtifactForLLM[];
}

/** What a tool answers instead of throwing: what went wrong, and what to do. */
export interface ToolError {
  readonly error: true;
  readonly error_message: string;
}
