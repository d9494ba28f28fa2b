import type { Headers } from "../call.js";

/** What the HTTP transports pass to a fetch function. */
export interface FetchInit {
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string;
  readonly signal: AbortSignal;
  readonly redirect: "manual";
}

/** The bytes of a reply as they arrive. */
export interface ByteReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(reason?: unknown): Promise<void>;
}

/** The part of a `Response` that the transports use. */
export interface FetchResponse {
  readonly status: number;
  /** Pairs of a name in lower case and a value, as `Headers` iterates over them. */
  readonly headers: Iterable<readonly [string, string]> & { get(name: string): string | null };
  readonly body: { getReader(): ByteReader } | null;
  text(): Promise<string>;
}

/**
 * An HTTP client: `globalThis.fetch`, `undiciFetch()` of `a2a-typed/node`, or any function of that shape.
 * It follows no redirect (`redirect: "manual"`) and ends the request when `signal` aborts.
 */
export type FetchLike = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** Options that the HTTP transports share. */
export interface HttpOptions {
  /** URL of the interface, as the agent card names it. */
  readonly url: string;
  /** Default: `globalThis.fetch`; where that is Node's own, its connection pool without it. */
  readonly fetch?: FetchLike | undefined;
  /** Sent with every request, below the headers of the client and of the call. */
  readonly headers?: Headers | undefined;
  /** Largest event of a stream; default 16 MiB. */
  readonly maxEventBytes?: number | undefined;
  /** Largest body of a reply that is no stream; default 64 MiB. */
  readonly maxBodyBytes?: number | undefined;
}
