import type { Headers } from "./call.js";
import type { Leniency } from "./codec/decode.js";
import type { MethodDescriptor, ServiceDescriptor } from "./descriptor.js";

/** One call as a transport sees it. `input` is canonical; headers are complete but for the media types. */
export interface TransportRequest {
  readonly service: ServiceDescriptor;
  readonly methodName: string;
  readonly method: MethodDescriptor;
  readonly input: unknown;
  readonly headers: Headers;
  readonly signal: AbortSignal;
  /** When a call that is no stream ends at the latest, in ms since the epoch; `signal` fires then. For transports that tell the peer. */
  readonly deadline?: number | undefined;
  /** To be called whenever bytes arrive: keeps the idle deadline of a stream from firing. */
  readonly onProgress?: (() => void) | undefined;
  /** How the caller reads replies, for a transport that must read them itself. */
  readonly mode?: Leniency | undefined;
  /** For what such a transport finds. */
  readonly onWarning?: ((warning: TransportWarning) => void) | undefined;
}

/** Something worth knowing that is no error. */
export interface TransportWarning {
  /** Machine-readable kind, e.g. `unknown-event`. */
  readonly code: string;
  readonly message: string;
  /** JSON pointer into request or reply, where one place is meant. */
  readonly pointer?: string;
}

/** Raw JSON of the result, undefined for an empty body; the client core decodes it. */
export interface TransportReply {
  readonly output: unknown;
  readonly headers: Headers;
}

/** One event of a stream: raw JSON, and the SSE `id:` where there was one. */
export interface TransportEvent {
  readonly data: unknown;
  readonly id?: string;
  /** The peer said that nothing follows, in a way that `data` does not show. */
  readonly last?: true;
}

/** An open stream. Ending the iteration early closes the request. */
export interface TransportStream {
  readonly events: AsyncIterable<TransportEvent>;
  readonly headers: Headers;
}

/** A way to reach an agent. Failures are thrown as `A2AError`. */
export interface Transport {
  /** `JSONRPC`, `HTTP+JSON`, `GRPC`, `MEMORY` or a URI. */
  readonly binding: string;
  unary(request: TransportRequest): Promise<TransportReply>;
  stream(request: TransportRequest): Promise<TransportStream>;
  close?(): Promise<void>;
}
