/** A message to send: its text, and what it belongs to. */
export interface Say {
  readonly text: string;
  readonly taskId?: string;
  readonly contextId?: string;
  /** Answer at once instead of when the task has ended or waits. */
  readonly immediately?: boolean;
}

/** A task, a message or an event, in words of no version. */
export interface Told {
  readonly kind: "task" | "message" | "status" | "artifact";
  /** Id of the task, `""` for a message that belongs to none. */
  readonly id: string;
  readonly contextId: string;
  /** `completed`, `input-required`, …; `""` where nothing is said about it. */
  readonly state: string;
  /** Text of a message or of artifacts. */
  readonly text: string;
  /** Text of the status message. */
  readonly note: string;
}

/** A message of a task's history. */
export interface Remembered {
  readonly role: "user" | "agent";
  readonly text: string;
}

/** A webhook to be told of a task. */
export interface Hook {
  readonly id: string;
  readonly url: string;
  readonly token: string;
}

/** What the steps ask of a client, whatever SDK it is made with. What an SDK lacks is left out. */
export interface PeerClient {
  card(): Promise<{ name: string; streaming: boolean; push: boolean; skills: string[] }>;
  send(say: Say): Promise<Told>;
  stream(say: Say): AsyncIterable<Told>;
  history(id: string, length?: number): Promise<Remembered[]>;
  list?(contextId: string, pageSize: number, pageToken: string): Promise<Page>;
  cancel(id: string): Promise<Told>;
  subscribe(id: string): AsyncIterable<Told>;
  setHook(taskId: string, hook: Hook): Promise<Hook>;
  getHook(taskId: string, id: string): Promise<Hook>;
  listHooks(taskId: string): Promise<Hook[]>;
  deleteHook(taskId: string, id: string): Promise<void>;
  /** What an error of this client means: the reason of the protocol where it is known, else its text. */
  reasonOf(error: unknown): string;
}

/** One page of a task list. */
export interface Page {
  readonly ids: readonly string[];
  readonly total: number;
  readonly next: string;
}

/** How a client is made: it says `wrongVersion` instead of its own where that is given. */
export type Connect = (wrongVersion?: string) => Promise<PeerClient>;
