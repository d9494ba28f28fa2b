import type { Headers, Interceptor } from "../call.js";
import { A2AError } from "../errors.js";
import type { AgentCard } from "../versions/pivot.js";
import type { AuthSession } from "./auth/auth-session.js";
import type { Auth } from "./auth/types.js";
import type { CardInterface } from "./card/card-interface.js";
import { interfacePlace } from "./card/interface-place.js";
import type { ConnectGuard } from "./connect-guard.js";
import type { GrpcOpener, GrpcTarget } from "./grpc-opener.js";
import type { Transport } from "./transport.js";
import { secretHeaders } from "./auth/secret-headers.js";
import { defaultFetch } from "./default-fetch.js";
import type { FetchLike } from "./fetch-like.js";

/** With what `connect` goes to an agent. */
export interface AccessOptions {
  /** Default: `globalThis.fetch`; where that is Node's own, its connection pool without it. */
  readonly fetch?: FetchLike | undefined;
  /** Sent with each request; those that look like credentials are kept out of errors and warnings. */
  readonly headers?: Headers | undefined;
  /**
   * Credentials: a function that gives headers for each request, or one of `a2a-typed/client-auth`. They go where `headers`
   * go, to the origin of the agent and to `headerOrigins`; with the request for the card only after a 401.
   */
  readonly auth?: Auth | undefined;
  /** Refuses cards and interfaces on addresses that must not be called: `networkGuard()` of `a2a-typed/node`. */
  readonly guard?: ConnectGuard | undefined;
}

/** The way to an agent, from its card to its calls. */
export interface Access {
  /** The request for the card; `find` gets the fetch function for it. */
  find<T>(home: URL, signal: AbortSignal, find: (fetch: FetchLike | undefined) => Promise<T>): Promise<T>;
  /** Interfaces that must not be called are no longer usable. */
  check(interfaces: readonly CardInterface[]): Promise<readonly CardInterface[]>;
  /** Settles on the credentials for this card. */
  enter(card: AgentCard): void;
  /** For the calls of an interface; `limit` goes around each request, below the credentials. */
  fetchFor(url: string, limit: (send: FetchLike) => FetchLike): FetchLike;
  /** An interface over gRPC, which no request of HTTP leads to. */
  openGrpc(open: GrpcOpener, target: GrpcTarget): Promise<Transport>;
  /** A warning without credentials. */
  clean<T>(value: T): T;
  /** The innermost ones. */
  readonly interceptors: readonly Interceptor[];
}

/** Begins to go to an agent. Throws `CONFIG` for two HTTP clients, of which one would not be used. */
export async function openAccess({ fetch: own, headers, auth, guard }: AccessOptions): Promise<Access> {
  if (own !== undefined && guard !== undefined)
    throw new A2AError("CONFIG", "connect: guard brings its own fetch; leave fetch out");
  const sent = secretHeaders(headers);
  const session: AuthSession | undefined =
    auth === undefined && sent.length === 0
      ? undefined
      : (await import("./auth/auth-session.js")).createAuthSession(auth ?? (() => ({})), sent);
  const checkFetch = (): void => {
    if (session?.ownFetch !== true || (guard ?? own) === undefined) return;
    const other = guard === undefined ? "fetch" : "guard";
    throw new A2AError(
      "CONFIG",
      `connect: auth brings its own fetch, which ${other} cannot send with; give ${other} the certificate: tls`,
    );
  };
  checkFetch();
  const given = guard?.fetch ?? own;
  const send: FetchLike = given ?? defaultFetch;
  return {
    find: (home, signal, find) =>
      session
        ? session.safely(signal, "agentCard", () =>
            find(auth === undefined ? given : session.fetch(send, [home.origin], { lazily: true })),
          )
        : find(given),
    check: async (interfaces) =>
      guard ? Promise.all(interfaces.map((one) => guarded(one, guard))) : interfaces,
    enter(card) {
      session?.forCard(card);
      checkFetch();
    },
    fetchFor: (url, limit) =>
      auth === undefined || session === undefined
        ? limit(send)
        : session.fetch(send, [new URL(url).origin], { limit }),
    async openGrpc(open, target) {
      const grpc = await import("./open-grpc.js");
      return grpc.openGrpc(open, target, { guard, session: auth === undefined ? undefined : session });
    },
    clean: (value) => session?.clean(value) ?? value,
    interceptors: session ? [session.interceptor] : [],
  };
}

async function guarded(one: CardInterface, guard: ConnectGuard): Promise<CardInterface> {
  const problem = one.usable ? await guard.problem(interfacePlace(one)?.href ?? one.url) : undefined;
  return problem === undefined ? one : { ...one, usable: false, problem };
}
