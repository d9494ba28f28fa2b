/**
 * What a session hands out and stores: the JSON of A2A 0.3, whatever version the agent speaks. Data parts hold any JSON,
 * as in 1.0.
 */

/** Where a task stands. */
export type TaskState =
  | "submitted"
  | "working"
  | "input-required"
  | "completed"
  | "canceled"
  | "failed"
  | "rejected"
  | "auth-required"
  | "unknown";

/** Free JSON that goes with a value. */
export type Metadata = Readonly<Record<string, unknown>>;

/** A part that is text. */
export interface TextPart {
  readonly kind: "text";
  readonly text: string;
  readonly metadata?: Metadata;
}

/** A part that is JSON. */
export interface DataPart {
  readonly kind: "data";
  readonly data: unknown;
  readonly metadata?: Metadata;
}

/** A part that is a file: its bytes in base64, or where to fetch it. */
export interface FilePart {
  readonly kind: "file";
  readonly file: {
    readonly name?: string;
    readonly mimeType?: string;
    readonly bytes?: string;
    readonly uri?: string;
  };
  readonly metadata?: Metadata;
}

/** A piece of a message or an artifact. */
export type Part = TextPart | DataPart | FilePart;

/** One turn of a conversation. */
export interface Message {
  readonly kind: "message";
  readonly messageId: string;
  readonly role: "user" | "agent";
  readonly parts: Part[];
  readonly contextId?: string;
  readonly taskId?: string;
  readonly referenceTaskIds?: string[];
  readonly extensions?: string[];
  readonly metadata?: Metadata;
}

/** A result of a task. */
export interface Artifact {
  readonly artifactId: string;
  readonly name?: string;
  readonly description?: string;
  readonly parts: Part[];
  readonly extensions?: string[];
  readonly metadata?: Metadata;
}

/** The state of a task, and what was said about it. */
export interface TaskStatus {
  readonly state: TaskState;
  readonly message?: Message;
  /** ISO 8601. */
  readonly timestamp?: string;
}

/** What an agent works on. */
export interface Task {
  readonly kind: "task";
  readonly id: string;
  readonly contextId: string;
  readonly status: TaskStatus;
  readonly artifacts?: Artifact[];
  readonly history?: Message[];
  readonly metadata?: Metadata;
}

/** An ability that a card lists. */
export interface AgentSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: string[];
  readonly examples?: string[];
  readonly inputModes?: string[];
  readonly outputModes?: string[];
}

/** What all versions of an agent card say; `url` and `protocolVersion` are those of the interface that is called. */
export interface AgentCard {
  readonly name: string;
  readonly description: string;
  readonly url: string;
  readonly version: string;
  readonly protocolVersion?: string;
  readonly capabilities: { readonly streaming?: boolean; readonly pushNotifications?: boolean };
  readonly skills: AgentSkill[];
  readonly defaultInputModes: string[];
  readonly defaultOutputModes: string[];
  readonly documentationUrl?: string;
  readonly iconUrl?: string;
}
