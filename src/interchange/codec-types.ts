import type {
  AgentCard,
  Artifact,
  Message,
  Part,
  StreamResponse,
  Task,
  TaskArtifactUpdateEvent,
  TaskPushNotificationConfig,
  TaskStatus,
  TaskStatusUpdateEvent,
} from "../versions/pivot.js";

/** A file as 0.x has it inside a part, in the words of 1.x: bytes as base64, or a URL. */
export type FileContent = { readonly mediaType?: string; readonly filename?: string } & (
  { readonly raw: string; readonly url?: never } | { readonly url: string; readonly raw?: never }
);

/** What the codec reads and writes, by the name it goes by here. */
export interface CodecTypes {
  task: Task;
  status: TaskStatus;
  message: Message;
  artifact: Artifact;
  part: Part;
  fileContent: FileContent;
  /** One event of a stream, or the result of a send: exactly one of task, message, status and artifact update. */
  event: StreamResponse;
  statusUpdate: TaskStatusUpdateEvent;
  artifactUpdate: TaskArtifactUpdateEvent;
  pushConfig: TaskPushNotificationConfig;
  agentCard: AgentCard;
}

/** Name of a type that the codec knows. */
export type CodecType = keyof CodecTypes;

/** `1.0`, `0.3`, `0.2`, or a release of one of them. */
export type VersionName = "1.0" | "0.3" | "0.2" | (string & {});
