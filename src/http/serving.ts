import { A2AError } from "../errors.js";
import type { Exchange } from "./exchange.js";
import type { OpenStreams } from "./open-streams.js";
import type { Readiness } from "./readiness.js";
import type { ServerState } from "./server-state.js";
import type { Slots } from "./slots.js";
import type { HttpHandler, HttpRequest } from "./types.js";

/** What a server shares among its bindings, those that are not HTTP included: its checks, its counts, its open streams. */
export interface Serving {
  readonly exchange: Exchange;
  /** Why a request is refused before anything of it is read: the server ends, or there is too much of it. */
  problemOf(request: HttpRequest): A2AError | undefined;
  /** Undefined where any number of requests is served at once. */
  readonly slots: Slots | undefined;
  /** Streams of bindings that are not HTTP; they end with the handler's own. */
  readonly streams: OpenStreams;
  readonly state: ServerState;
  readonly readiness: () => Promise<Readiness>;
}

const known = new WeakMap<HttpHandler, Serving>();

/** Says what a handler shares. */
export const share = (handler: HttpHandler, serving: Serving): void => void known.set(handler, serving);

/** What a handler shares. Throws `CONFIG` for what is no handler of this library. */
export function servingOf(handler: HttpHandler): Serving {
  const serving = known.get(handler);
  if (serving !== undefined) return serving;
  throw new A2AError("CONFIG", "Expected the server of createServer or serve, or a router of createRouter");
}
