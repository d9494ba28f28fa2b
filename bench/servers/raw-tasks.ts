import { randomUUID } from "node:crypto";

/** The little that the raw server knows of a message; 0.3 over HTTP+JSON calls the parts `content`. */
export interface RawMessage {
  readonly contextId?: string;
  readonly messageId: string;
  readonly role: string;
  readonly parts: readonly { readonly text: string }[];
  readonly content?: readonly { readonly text: string }[];
}
/** A task, as it will be written. */
export interface RawTask {
  readonly id: string;
  readonly contextId: string;
}

/** All tasks. */
export const tasks = new Map<string, RawTask>();

/** Text of a message. */
export const textOf = (message: RawMessage): string => message.parts[0]?.text ?? "";

/** The time as a status has it. */
export const now = (): string => new Date().toISOString();

/** A finished task of 1.0. */
export function echo(message: RawMessage): RawTask {
  const contextId = message.contextId ?? randomUUID();
  const id = randomUUID();
  const task = {
    id,
    contextId,
    status: { state: "TASK_STATE_COMPLETED", timestamp: now() },
    history: [{ ...message, contextId, taskId: id }],
    artifacts: [{ artifactId: randomUUID(), parts: [{ text: `echo: ${textOf(message)}` }] }],
  };
  tasks.set(id, task);
  return task;
}

/** The same in 0.3; members are in the order in which ours come. */
export function echo03(message: RawMessage): RawTask {
  const contextId = message.contextId ?? randomUUID();
  const id = randomUUID();
  const { messageId, role, parts } = message;
  const task = {
    kind: "task",
    id,
    contextId,
    status: { state: "completed", timestamp: now() },
    artifacts: [{ artifactId: randomUUID(), parts: [{ kind: "text", text: `echo: ${textOf(message)}` }] }],
    history: [{ kind: "message", messageId, contextId, taskId: id, role, parts }],
  };
  tasks.set(id, task);
  return task;
}

/** The same in 0.3 over HTTP+JSON. */
export function echo03Proto({ content = [], messageId, role, ...message }: RawMessage): RawTask {
  const contextId = message.contextId ?? randomUUID();
  const id = randomUUID();
  const task = {
    artifacts: [{ artifactId: randomUUID(), parts: [{ text: `echo: ${content[0]?.text ?? ""}` }] }],
    contextId,
    history: [{ contextId, messageId, content, role, taskId: id }],
    id,
    status: { state: "TASK_STATE_COMPLETED", timestamp: now() },
  };
  tasks.set(id, task);
  return task;
}

/** A task of 1.0 that has only begun. */
export function begin<More extends object>(message: RawMessage, state: string, more: More) {
  const contextId = message.contextId ?? randomUUID();
  const id = randomUUID();
  const status = { state, timestamp: now() };
  return { id, contextId, status, history: [{ ...message, contextId, taskId: id }], ...more };
}
