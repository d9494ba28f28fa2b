import type { Headers, Interceptor } from "../call.js";
import type { Leniency } from "../codec/decode.js";
import type { InputOf, MethodDescriptor, OutputOf, ServiceDescriptor } from "../descriptor.js";

/** Something worth knowing that is no error: a leniency used, or an event that was passed over. */
export interface ClientWarning {
  /** Key of the method: `sendStreamingMessage`. */
  readonly method: string;
  /** Machine-readable kind, e.g. `unknown-event`. */
  readonly code: string;
  readonly message: string;
  /** JSON pointer into the reply, where one place is meant. */
  readonly pointer?: string;
}

/** Options of `createClient`. */
export interface ClientOptions {
  /** Around every call; the first is the outermost. */
  readonly interceptors?: readonly Interceptor[] | undefined;
  /** Default of `CallOptions.timeoutMs`: 60,000 ms. */
  readonly timeoutMs?: number | undefined;
  /** Sent with every call. */
  readonly headers?: Headers | undefined;
  /** Extension URIs asked for in every call. */
  readonly extensions?: readonly string[] | undefined;
  /** Put into every request, as the interface of the agent card demands (A2A-8.3.2-d); over the one of a call. */
  readonly tenant?: string | undefined;
  /** `tolerant` reads other generations' spellings in replies too; default: the pinned version only. */
  readonly mode?: Leniency | undefined;
  /** Told about leniencies and skipped events. */
  readonly onWarning?: ((warning: ClientWarning) => void) | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call (`ABORTED`, or `TIMEOUT` where its reason is a `TimeoutError`). */
  readonly signal?: AbortSignal | undefined;
  /**
   * Unary calls: time to the complete reply. Streams: longest wait for the first byte and between bytes.
   * In ms; `0` or `Infinity` for none. Passing it is `TIMEOUT`.
   */
  readonly timeoutMs?: number | undefined;
  /** Headers of this call, over those of the client and the transport. */
  readonly headers?: Headers | undefined;
  /** Extension URIs of this call, instead of those of the client. */
  readonly extensions?: readonly string[] | undefined;
  /** Sent as `Last-Event-ID`: asks the agent to go on after that event instead of with a snapshot. */
  readonly lastEventId?: string | undefined;
}

/** The events of a stream, once. Leaving a `for await` loop early, `return()` and `await using` abort the request. */
export interface ClientStream<T> extends AsyncIterable<T>, AsyncDisposable {
  next(): Promise<IteratorResult<T, undefined>>;
  /** Aborts the request; a pending `next()` ends without an error. */
  return(): Promise<IteratorResult<T, undefined>>;
  [Symbol.asyncIterator](): ClientStream<T>;
  /** Headers of the reply, once they have come. */
  readonly headers: Promise<Headers>;
  /** Id of the last event that was handed out; `lastEventId` of a call that goes on after it. */
  readonly lastEventId: string | undefined;
}

type Arguments<M extends MethodDescriptor> = M extends { readonly emptyInput: true }
  ? [input?: InputOf<M>, options?: CallOptions]
  : [input: InputOf<M>, options?: CallOptions];

/** A method as a client offers it. */
export type ClientMethod<M extends MethodDescriptor> = M extends { readonly kind: "serverStream" }
  ? (...args: Arguments<M>) => ClientStream<OutputOf<M>>
  : (...args: Arguments<M>) => Promise<OutputOf<M>>;

/** The methods of a service as client methods; documentation and definitions are those of the descriptor. */
export type ClientMethods<M extends ServiceDescriptor["methods"]> = {
  readonly [K in keyof M]: ClientMethod<M[K]>;
};

/** A client of one protocol version. */
export type Client<S extends ServiceDescriptor> = ClientMethods<S["methods"]> & {
  /** Ends calls and streams that are under way (`ABORTED`), refuses new ones, and closes the transport. */
  close(): Promise<void>;
} & AsyncDisposable;
