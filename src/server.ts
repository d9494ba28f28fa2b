/** `a2a-typed/server`: serve an agent; the library owns protocol, lifecycle and storage. */
export { defineAgent } from "./server/define-agent.js";
export { createServer, type AgentServer } from "./server/create-server.js";
export { serve, type RunningServer, type ServeOptions } from "./server/serve.js";
export type {
  GrpcListenOptions,
  GrpcServeOptions,
  GrpcServerCredentials,
  GrpcServerTls,
} from "./server/grpc-option.js";
export type { IdempotencyOptions } from "./server/idempotency.js";
export type { ServerLimits, ServerOptions } from "./server/server-options.js";
export type { Audit, AuditEntry } from "./http/audit.js";
export type { CorsOptions } from "./http/cors.js";
export type { HealthOptions } from "./http/health.js";
export type { HstsOptions } from "./http/hsts.js";
export type { RateLimit, RateLimitInfo, TooSoon } from "./http/rate-limit.js";
export { tokenBucket, type TokenBucketOptions } from "./http/token-bucket.js";
export { pushDelivery } from "./push/push-delivery.js";
export type { SignOptions } from "./push/delivery-jwt.js";
export type { EventFilter } from "./push/event-filter.js";
export type { DeadLetter, PushOptions } from "./push/options.js";
export type { ConfigProblem, PushDelivery, PushHost, StartedPush } from "./push/types.js";
export type { DetachedSignature, KeyOptions, Keys, PublicKey, SigningKey } from "./keys/types.js";
export type { Lookup, ResolvedAddress } from "./net/target-guard.js";
export {
  createRouter,
  type HandlerContext,
  type Handlers,
  type MethodHandler,
  type Router,
  type RouterOptions,
  type StreamChunk,
} from "./server/router.js";
export type {
  Agent,
  AgentCardInput,
  AgentDefinition,
  ArtifactOptions,
  ArtifactWriter,
  Content,
  Ctx,
  Handler,
  Inbox,
  Logger,
  OpenOptions,
  Outcome,
  Result,
  StatusOptions,
  TaskEffects,
  Yield,
} from "./server/agent-types.js";
export { TaskCanceled, TaskFinished } from "./server/task-errors.js";
export type { CloseOptions } from "./server/drain.js";
export type {
  ExtensionCall,
  ExtensionMethod,
  ExtensionSchema,
  ServerExtension,
} from "./server/extension-types.js";
export { traceContext, type TraceContext } from "./telemetry/trace-context.js";
export type { TelemetryOption } from "./telemetry/open-telemetry.js";
export { ownerOf, type OwnerOf } from "./server/scope.js";
export type { ExtendedCard, SkillOf } from "./server/service-context.js";
export { memoryStore, type MemoryStoreOptions } from "./store/memory-store.js";
export { memoryBus } from "./bus/memory-bus.js";
export type { BusListener, EventBus, News } from "./bus/types.js";
export { ceilTimestamp } from "./store/ceil-timestamp.js";
export { decodePageToken, encodePageToken } from "./store/page-token.js";
export type {
  CommitEntry,
  CommitResult,
  Delivery,
  Lease,
  ListPage,
  ListQuery,
  MaybePromise,
  NewDelivery,
  Scope,
  Snapshot,
  SnapshotLayout,
  StoredConfig,
  StoredEvent,
  StoredMessage,
  StoredTask,
  StoreHints,
  TaskHead,
  TaskStore,
} from "./store/types.js";
