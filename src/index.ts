/** The client for pinned versions, its transports and the error class. Protocol types are in `a2a-typed/v1` and so on. */
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
export type { ByteReader, FetchInit, FetchLike, FetchResponse, HttpOptions } from "./client/fetch-like.js";
export type {
  Transport,
  TransportEvent,
  TransportReply,
  TransportRequest,
  TransportStream,
} from "./client/transport.js";
export type { Leniency } from "./codec/decode.js";
export { tolerant } from "./codec/tolerant.js";
export type { Json, JsonObject, ServiceDescriptor } from "./descriptor.js";
export { A2AError, isA2AError } from "./errors.js";
export type { CallTarget } from "./server/router-types.js";
export type { A2AErrorOptions, A2AReason, ErrorReason, LocalReason, Violation } from "./errors.js";
