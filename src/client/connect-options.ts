import type { Interceptor } from "../call.js";
import { A2AError } from "../errors.js";
import type { SelectOptions } from "./card/select-interface.js";
import type { TrustOptions } from "./card-trust.js";
import type { ClientExtension } from "./client-extension.js";
import type { ClientOptions } from "./client-types.js";
import type { AccessOptions } from "./connect-access.js";
import type { HttpOptions } from "./fetch-like.js";
import type { FindCardOptions } from "./find-card.js";
import type { GrpcOpener } from "./grpc-opener.js";
import { nearest } from "./nearest.js";
import type { RetryOptions } from "./retry-calls.js";

/** Options of `connect`. */
export interface ConnectOptions
  extends
    FindCardOptions,
    SelectOptions,
    AccessOptions,
    TrustOptions,
    Pick<HttpOptions, "maxEventBytes" | "maxBodyBytes">,
    Pick<ClientOptions, "timeoutMs" | "onWarning"> {
  /**
   * Extensions asked for in every call: URIs, or objects that say what they build on and take part in calls. An agent that
   * requires one that a call does not ask for is not called.
   */
  readonly extensions?: readonly (string | ClientExtension)[] | undefined;
  /** For a card that is handed over: where it came from. Relative URLs are resolved against it. */
  readonly cardUrl?: string | undefined;
  /** Further origins that get `headers` and `auth`, besides that of the URL: `https://api.example.com`. */
  readonly headerOrigins?: readonly string[] | undefined;
  /** Around every call, in the shapes of the newest version; the first is the outermost. */
  readonly interceptors?: readonly Interceptor[] | undefined;
  /** Longest wait for the headers of a reply, in ms; default: `timeoutMs`. Of a blocking call they come with the answer. */
  readonly headersTimeoutMs?: number | undefined;
  /**
   * What becomes of an answer in another context than the message was sent in; what is accepted is told to `onWarning`.
   * Default: `refuse` (`INVALID_AGENT_RESPONSE`) of agents of 1.0, which must not do that (A2A-3.4.1-d), else `accept`.
   */
  readonly otherContext?: "accept" | "refuse" | undefined;
  /** When calls are made again; `false`: never. */
  readonly retry?: RetryOptions | false | undefined;
  /** Ends the search for the card. */
  readonly signal?: AbortSignal | undefined;
  /** Time to find the card, in ms; default 60,000, 0 for none. */
  readonly discoveryTimeoutMs?: number | undefined;
  /**
   * Where the agent cannot be reached or does not know what it is asked, before it has answered for the first time, the
   * next interface of the card is tried. Default false: the card is believed.
   */
  readonly fallback?: boolean | undefined;
  /**
   * To agents of 0.x: media types and file names of text and data parts, which have no place there, travel under one
   * reserved metadata key, and are read back from it. Default false: they are dropped, and told to `onWarning`.
   */
  readonly stashMediaTypes?: boolean | undefined;
  /**
   * Speaks gRPC too, in Node: `grpc` of `a2a-typed/grpc`. The binding is then one of those that the card, `prefer` and
   * `bindings` choose from. Default: interfaces over gRPC are passed over.
   */
  readonly grpc?: GrpcOpener | undefined;
  /** To agents of 0.x over HTTP+JSON and gRPC: bytes of files are written and read as the base64 of their base64 text. */
  readonly doubleBase64?: boolean | undefined;
}

const KNOWN: Readonly<Record<keyof ConnectOptions, true>> = {
  fetch: true,
  grpc: true,
  headers: true,
  cache: true,
  defaultTtlMs: true,
  maxCardBytes: true,
  versions: true,
  bindings: true,
  prefer: true,
  maxEventBytes: true,
  maxBodyBytes: true,
  timeoutMs: true,
  extensions: true,
  onWarning: true,
  cardUrl: true,
  headerOrigins: true,
  auth: true,
  guard: true,
  verify: true,
  unsigned: true,
  interceptors: true,
  headersTimeoutMs: true,
  otherContext: true,
  retry: true,
  signal: true,
  discoveryTimeoutMs: true,
  fallback: true,
  stashMediaTypes: true,
  doubleBase64: true,
};

/** Refuses a misspelt option, which would be ignored in silence, `versions` and `headers` among them (`CONFIG`). */
export function checkConnectOptions(options: ConnectOptions): void {
  const name = Object.keys(options).find((key) => !Object.hasOwn(KNOWN, key));
  if (name === undefined) return;
  const known = Object.keys(KNOWN).sort();
  const meant = nearest(name, known);
  const hint = meant === undefined ? `there are ${known.join(", ")}` : `did you mean ${meant}?`;
  throw new A2AError("CONFIG", `connect: there is no option ${name}; ${hint}`);
}
