/** The client of `a2a-typed` with discovery: read an agent's card, then talk to it. */
export {
  A2AError,
  createClient,
  httpJson,
  inMemory,
  isA2AError,
  jsonRpc,
  tolerant,
  type A2AErrorOptions,
  type A2AReason,
  type Call,
  type CallContext,
  type CallOptions,
  type Client,
  type ClientMethod,
  type ClientOptions,
  type ClientStream,
  type ClientWarning,
  type ErrorReason,
  type FetchLike,
  type Headers,
  type HttpJsonOptions,
  type HttpOptions,
  type Interceptor,
  type Leniency,
  type LocalReason,
  type Next,
  type Reply,
  type Transport,
  type Violation,
} from "./index.js";
export type { CachedCard, CardCache } from "./client/card-cache.js";
export { fetchAgentCard, type CardOptions } from "./client/fetch-agent-card.js";
export type { Agent, AgentExtras, AgentFacts, AgentReply, Sendable } from "./client/agent.js";
export { filePart, type FilePartOptions } from "./client/file-part.js";
export type { PushConfigs } from "./client/push-configs.js";
export type { RemoteTask, RemoteTaskEvents, ResultOptions } from "./client/remote-task.js";
export type { RetryOptions } from "./client/retry-calls.js";
export type { FollowOptions } from "./client/task-follower.js";
export type { CardInterface } from "./client/card/card-interface.js";
export { readAgentCard, type ReadCard, type ReadCardOptions } from "./client/card/read-agent-card.js";
export { connect, type ConnectOptions } from "./client/connect.js";
export { selectInterface, type SelectOptions } from "./client/card/select-interface.js";
