/**
 * The newest supported version: the shapes that the engine, the stores and `connect` work in.
 * This file is the only place that names it.
 */
export { A2A as pivot } from "../../generated/v1.0/service.js";
export { explicit as explicitMembers } from "../../generated/v1.0/presence.js";
export { Role, TaskState } from "../../generated/v1.0/types.js";
export {
  AgentCard as agentCardTable,
  Artifact as artifactTable,
  AuthenticationInfo as authenticationTable,
  Message as messageTable,
  Part as partTable,
  SecurityRequirement as securityRequirementTable,
  SecurityScheme as securitySchemeTable,
  SendMessageResponse as sendMessageResponseTable,
  StreamResponse as streamResponseTable,
  Task as taskTable,
  TaskArtifactUpdateEvent as artifactUpdateTable,
  TaskPushNotificationConfig as pushConfigTable,
  TaskState as taskStateTable,
  TaskStatus as statusTable,
  TaskStatusUpdateEvent as statusUpdateTable,
} from "../../generated/v1.0/tables.js";
export { agentMessage, file, text, textOf, userMessage } from "../../generated/v1.0/helpers.js";
export type {
  AgentCapabilities,
  AgentCard,
  AgentInterface,
  AgentSkill,
  Artifact,
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetExtendedAgentCardRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  Message,
  Part,
  SecurityRequirement,
  SecurityScheme,
  SendMessageConfiguration,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskArtifactUpdateEvent,
  TaskPushNotificationConfig,
  TaskStatus,
  TaskStatusUpdateEvent,
} from "../../generated/v1.0/types.js";
