/** `a2a-typed/session`: agents by name, conversations with them, and tools that let a language model have those. */
export type {
  AgentCard,
  AgentSkill,
  Artifact,
  DataPart,
  FilePart,
  Message,
  Part,
  Task,
  TaskState,
  TaskStatus,
  TextPart,
} from "./session/a2a-types.js";
export { ArtifactSettings } from "./session/artifact-settings.js";
export { DataArtifacts } from "./session/data-artifacts.js";
export type { DataMinimizeOptions } from "./session/data-minimize.js";
export type { DataViewOptions } from "./session/data-view.js";
export type {
  AgentURLAndCustomHeaders,
  ArtifactForLLM,
  DataPartForLLM,
  FilePartForLLM,
  MessageForLLM,
  PartForLLM,
  TaskForLLM,
  TaskStatusForLLM,
  TextPartForLLM,
  ToolError,
} from "./session/llm-types.js";
export { minimizeArtifacts, type MinimizeArtifactsOptions } from "./session/minimize-artifacts.js";
export {
  TextArtifacts,
  type MinimizedText,
  type TextMinimizeOptions,
  type TextViewOptions,
} from "./session/text-artifacts.js";
export { toText } from "./session/to-text.js";
export type { FileStore } from "./session/file-store.js";
export { JSONTaskStore } from "./session/json-task-store.js";
export { LocalFileStore, type LocalFileStoreOptions } from "./session/local-file-store.js";
export { InMemoryTaskStore, type TaskStore } from "./session/task-store.js";
export { A2AAgents, type A2AAgentsOptions } from "./session/a2a-agents.js";
export { A2ASession } from "./session/a2a-session.js";
export type { AgentHealth } from "./session/agent-health.js";
export type { AgentChange, AgentQuery, AgentRegistry } from "./session/agent-registry.js";
export type { AgentDetail, AgentSummary } from "./session/agent-summary.js";
export type { AgentAuth, ConfiguredCredential, ConfiguredSecret } from "./session/agent-auth-config.js";
export type { AgentConfig, AgentsConfig } from "./session/agents-config.js";
export type { A2ASessionOptions, GetTaskOptions, SendMessageOptions } from "./session/session-options.js";
export { A2ATools, type A2AToolsOptions } from "./session/tools/a2a-tools.js";
export type { A2ATool } from "./session/tools/tool.js";
export { aiSdkTools, type AiSdkTool } from "./session/adapters/ai-sdk.js";
export { callTool } from "./session/adapters/call-tool.js";
export { langChainTools, type LangChainFactory, type LangChainFields } from "./session/adapters/langchain.js";
export { callMcpTool, mcpTools, type McpTool, type McpToolResult } from "./session/adapters/mcp.js";
export {
  callOpenAiTool,
  openAiChatTools,
  openAiResponseTools,
  type OpenAiChatTool,
  type OpenAiResponseTool,
} from "./session/adapters/openai.js";
