/** The client of `a2a-typed` with discovery: read an agent's card, then talk to it. */
export { httpJson, type HttpJsonOptions } from "./binding/http-json-client.js";
export { inMemory } from "./binding/in-memory-client.js";
export { jsonRpc } from "./binding/json-rpc-client.js";
export type { Call, CallContext, Headers, Interceptor, Next, Reply } from "./call.js";
export type {
  CallOptions,
  Client,
  ClientMethod,
  ClientOptions,
  ClientStream,
  ClientWarning,
} from "./client/client-types.js";
export { createClient } from "./client/create-client.js";
export type { FetchLike, HttpOptions } from "./client/fetch-like.js";
export type { Transport } from "./client/transport.js";
export type { Leniency } from "./codec/decode.js";
export { tolerant } from "./codec/tolerant.js";
export {
  A2AError,
  isA2AError,
  type A2AErrorOptions,
  type A2AReason,
  type ErrorReason,
  type LocalReason,
  type Violation,
} from "./errors.js";
export type { CachedCard, CardCache } from "./client/card-cache.js";
export { fetchAgentCard, type CardOptions } from "./client/fetch-agent-card.js";
export type { Agent, AgentExtras, AgentFacts, AgentReply, Sendable } from "./client/agent.js";
export { filePart, type FilePartOptions } from "./client/file-part.js";
export { followUp } from "./client/follow-up.js";
export { headerDeadline } from "./client/header-deadline.js";
export type { PushConfigs } from "./client/push-configs.js";
export type { RemoteTask, RemoteTaskEvents, ResultOptions } from "./client/remote-task.js";
export type { RetryOptions } from "./client/retry-calls.js";
export type { FollowOptions } from "./client/task-follower.js";
export type { CardInterface } from "./client/card/card-interface.js";
export { readAgentCard, type ReadCard, type ReadCardOptions } from "./client/card/read-agent-card.js";
export type { ClientExtension } from "./client/client-extension.js";
export { connect } from "./client/connect.js";
export type { ConnectOptions } from "./client/connect-options.js";
export { selectInterface, type SelectOptions } from "./client/card/select-interface.js";
