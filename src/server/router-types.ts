import type { Call, CallContext, Headers, Reply } from "../call.js";
import type { CardSource } from "../card/card-source.js";
import type { InputOf, MethodDescriptor, OutputOf, ServiceDescriptor } from "../descriptor.js";
import type { JsonText } from "../json-text.js";

/** What a handler knows of its call besides the input. */
export interface HandlerContext {
  /** Fires when the caller goes away; it ends the subscriber, never a task. */
  readonly signal: AbortSignal;
  /** Request headers, names in lower case. */
  readonly headers: Readonly<Headers>;
  /** Headers of the reply; set them before the handler returns. */
  readonly replyHeaders: Headers;
  /** Principal, tenant, extensions, `Last-Event-ID` and what middleware left. */
  readonly context: CallContext;
  readonly method: MethodDescriptor;
}

/** One step of a stream: an event, an event already encoded, or several encoded events that are written at once. */
export type StreamChunk<O> = O | JsonText<O> | readonly JsonText<O>[];

/** The function that serves one method: a value for a unary one, an async iterable of events for a stream. */
export type MethodHandler<M extends MethodDescriptor> = M extends { readonly kind: "serverStream" }
  ? (
      input: InputOf<M>,
      ctx: HandlerContext,
    ) => AsyncIterable<StreamChunk<OutputOf<M>>> | Promise<AsyncIterable<StreamChunk<OutputOf<M>>>>
  : (
      input: InputOf<M>,
      ctx: HandlerContext,
    ) => OutputOf<M> | JsonText<OutputOf<M>> | Promise<OutputOf<M> | JsonText<OutputOf<M>>>;

/** Handlers by lowerCamel method name; one that is left out answers UNSUPPORTED_OPERATION. */
export type Handlers<S extends ServiceDescriptor> = {
  readonly [K in keyof S["methods"]]?: MethodHandler<S["methods"][K]>;
};

/** One version of a service that can be called: what the bindings and the in-memory transport sit on. */
export interface CallTarget<S extends ServiceDescriptor = ServiceDescriptor> {
  readonly service: S;
  /** Runs one call whose input is already canonical. A stream's `output` yields `StreamChunk`s. Throws `A2AError`s. */
  call(call: Call): Promise<Reply>;
  /** The card by which `call` itself checks capabilities and required extensions, where it does. */
  readonly card?: CardSource;
  /**
   * Where the service is the ProtoJSON form of a version: the target for inputs in the JSON of the version, which callers
   * write too. It answers in the form all the same.
   */
  readonly json?: CallTarget;
}

/** The bindings over HTTP, as cards name them. */
export type HttpBinding = "JSONRPC" | "HTTP+JSON";

/**
 * A version whose code is loaded with its first request. Its bindings may have targets of their own, for a version may
 * write HTTP+JSON in another form than JSON-RPC.
 */
export interface LazyTarget {
  /** `Major.Minor`. */
  readonly version: string;
  /** Called once per binding; again only after it rejected. */
  load(binding: HttpBinding): Promise<CallTarget>;
  /** A target for the extended card as 0.2 has it, a document behind a path of its own; absent where there is none. */
  readonly loadExtendedCard?: () => Promise<CallTarget>;
}
