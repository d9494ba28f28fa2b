/** `a2a-typed/server`: serve an agent; the library owns protocol, lifecycle and storage. */
export { defineAgent } from "./server/define-agent.js";
export { createServer, type AgentServer } from "./server/create-server.js";
export { serve, type RunningServer, type ServeOptions } from "./server/serve.js";
export type { ServerLimits, ServerOptions } from "./server/server-options.js";
export { pushDelivery } from "./push/push-delivery.js";
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
export { ownerOf, type OwnerOf } from "./server/scope.js";
export type { ExtendedCard } from "./server/service-context.js";
export { memoryStore, type MemoryStoreOptions } from "./store/memory-store.js";
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
