/** Short forms of events, for tests that read as lists. */
import type { Artifact, Message, StreamResponse, Task, TaskState } from "../../src/versions/pivot.js";
import { Role } from "../../src/versions/pivot.js";

export const task = (more: Partial<Task> = {}): Task => ({
  id: "t1",
  contextId: "c1",
  status: { state: "TASK_STATE_SUBMITTED", timestamp: "2030-01-01T00:00:00.000Z" },
  ...more,
});

export const said = (messageId: string, role: Role = Role.AGENT): Message => ({
  messageId,
  role,
  parts: [{ text: messageId }],
});

export const status = (state: TaskState, note?: string): StreamResponse => ({
  statusUpdate: {
    taskId: "t1",
    contextId: "c1",
    status: { state, ...(note !== undefined && { message: said(note) }) },
  },
});

export const artifact = (artifactId: string, ...texts: string[]): Artifact => ({
  artifactId,
  parts: texts.map((text) => ({ text })),
});

export const update = (artifactId: string, text: string, append = false): StreamResponse => ({
  artifactUpdate: {
    taskId: "t1",
    contextId: "c1",
    artifact: artifact(artifactId, text),
    ...(append && { append }),
  },
});
