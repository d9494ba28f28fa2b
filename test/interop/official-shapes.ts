import type { TaskState } from "@a2a-js/sdk";
import { Role, type Artifact, type Message, type SendMessageRequest, type TaskStatus } from "@a2a-js/sdk";
import { randomUUID } from "node:crypto";

/** A text part as the official SDK wants it typed. */
export const officialPart = (text: string): Artifact["parts"][number] => ({
  content: { $case: "text", value: text },
  metadata: undefined,
  filename: "",
  mediaType: "",
});

/** An artifact with one text part. */
export const officialArtifact = (artifactId: string, text: string): Artifact => ({
  artifactId,
  name: "",
  description: "",
  parts: [officialPart(text)],
  metadata: undefined,
  extensions: [],
});

/** A status of now. */
export const officialStatus = (state: TaskState): TaskStatus => ({
  state,
  message: undefined,
  timestamp: new Date().toISOString(),
});

/** A user message. */
export const officialMessage = (text: string, at: { taskId?: string; contextId?: string } = {}): Message => ({
  messageId: randomUUID(),
  contextId: at.contextId ?? "",
  taskId: at.taskId ?? "",
  role: Role.ROLE_USER,
  parts: [officialPart(text)],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});

/** A request to send a message. */
export const officialSend = (
  text: string,
  {
    returnImmediately = false,
    ...at
  }: { taskId?: string; contextId?: string; returnImmediately?: boolean } = {},
): SendMessageRequest => ({
  tenant: "",
  message: officialMessage(text, at),
  configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately },
  metadata: undefined,
});

/** Text of all text parts of an artifact or a message. */
export const officialText = (content: { parts: Artifact["parts"] } | undefined): string =>
  (content?.parts ?? []).map(({ content: part }) => (part?.$case === "text" ? part.value : "")).join("");
