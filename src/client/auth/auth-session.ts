import type { Interceptor } from "../../call.js";
import { A2AError } from "../../errors.js";
import type { AgentCard } from "../../versions/pivot.js";
import type { FetchLike } from "../fetch-like.js";
import { authFetch, type AuthFetchOptions } from "./auth-fetch.js";
import type { Transport } from "../transport.js";
import { authTransport } from "./auth-transport.js";
import { redacted } from "./redact.js";
import type { Auth, ClientAuth } from "./types.js";
import { withoutSecrets } from "./without-secrets.js";

/** How many of the values that were shown last are kept out of warnings. */
const REMEMBERED = 100;

/** Credentials of one client: its calls, and what was shown for each. */
export interface AuthSession {
  /** Credentials for requests to these origins. */
  fetch(
    send: FetchLike,
    origins: readonly string[],
    how?: Pick<AuthFetchOptions, "lazily" | "limit">,
  ): FetchLike;
  /** Credentials for the calls of a transport that sends no requests of HTTP; `url` is where they go. */
  transport(inner: Transport, url: string): Transport;
  /** Settles on the credentials for an agent. */
  forCard(card: AgentCard): void;
  /** Says which call a request belongs to, and keeps what was shown out of its errors. The innermost one. */
  readonly interceptor: Interceptor;
  /** What a piece of work with this signal gives; its failure without what was shown. */
  safely<T>(signal: AbortSignal, name: string, work: () => Promise<T>): Promise<T>;
  /** The same for every step of a stream. */
  safeEvents<T>(signal: AbortSignal, events: AsyncIterable<T>): AsyncIterable<T>;
  /** A warning, or any other value of JSON, without what was shown lately. */
  clean<T>(value: T): T;
  /** Whether the credentials bring an HTTP client along. */
  readonly ownFetch: boolean;
}

/**
 * Begins to show credentials. Throws `CONFIG` for what gives none. `sent`: what every request shows besides, in headers of
 * the caller's own.
 */
export function createAuthSession(option: Auth, sent: readonly string[] = []): AuthSession {
  let auth: ClientAuth = typeof option === "function" ? { headers: option } : option;
  // Callers in JavaScript give the token itself, which the message must not show.
  const { headers } = auth as Partial<ClientAuth>;
  if (typeof headers !== "function")
    throw new A2AError(
      "CONFIG",
      "auth: expected a function or an object with headers(op), such as bearer(token)",
    );
  // A call is known by its signal: that is what comes by again in the request.
  const calls = new WeakMap<AbortSignal, { name: string; readonly shown: Set<string> }>();
  const callOf = (signal: AbortSignal) => {
    let call = calls.get(signal);
    if (call === undefined) calls.set(signal, (call = { name: "agentCard", shown: new Set(sent) }));
    return call;
  };
  const clean = (signal: AbortSignal, error: unknown): unknown => redacted(error, callOf(signal).shown);
  const lately = new Set<string>();
  const show = (signal: AbortSignal, value: string): void => {
    callOf(signal).shown.add(value);
    lately.delete(value);
    lately.add(value);
    const [oldest] = lately;
    if (lately.size > REMEMBERED && oldest !== undefined) lately.delete(oldest);
  };

  const session: AuthSession = {
    fetch: (send, origins, how = {}) =>
      authFetch(auth, {
        send,
        origins,
        ...how,
        nameOf: (signal) => callOf(signal).name,
        onShown: show,
      }),
    transport: (inner, url) =>
      authTransport(inner, {
        auth: () => auth,
        url,
        nameOf: (signal) => callOf(signal).name,
        onShown: show,
      }),
    forCard(card) {
      auth = auth.forCard?.(card) ?? auth;
    },
    clean: (value) => withoutSecrets(value, [...sent, ...lately]),
    get ownFetch() {
      return auth.fetch !== undefined;
    },
    interceptor: (next) => (call) =>
      session.safely(call.signal, call.methodName, async () => {
        const reply = await next(call);
        return reply.stream ? { ...reply, output: session.safeEvents(call.signal, reply.output) } : reply;
      }),
    async safely(signal, name, work) {
      callOf(signal).name = name;
      try {
        return await work();
      } catch (error) {
        throw clean(signal, error);
      }
    },
    safeEvents: (signal, events) => ({
      [Symbol.asyncIterator]() {
        const source = events[Symbol.asyncIterator]();
        return {
          next: () =>
            source.next().catch((error: unknown) => {
              throw clean(signal, error);
            }),
          return: async () => (await source.return?.()) ?? { done: true, value: undefined },
        };
      },
    }),
  };
  return session;
}
