import { A2AError } from "../errors.js";
import { parseAllowList } from "../net/allow-list.js";
import { createTargetGuard, ForbiddenTarget, type Lookup } from "../net/target-guard.js";
import type { ConnectGuard } from "./connect-guard.js";
import type { TlsOptions } from "./tls-options.js";
import { pooledFetch, type PooledFetch } from "./undici-fetch.js";

/** Where a guard lets requests go. */
export interface NetworkGuardOptions {
  /** Targets besides public addresses: host names, IP addresses, CIDR ranges, origins. */
  readonly allow?: readonly string[] | undefined;
  /** Ports that may be called; default 80, 443 and those from 1024 on. */
  readonly ports?: readonly number[] | undefined;
  /** Refuse `http:`. Default false. */
  readonly requireHttps?: boolean | undefined;
  /** Resolves host names; default the resolver of the system. */
  readonly lookup?: Lookup | undefined;
  /** Time to resolve and connect, in ms; default 10,000. */
  readonly connectTimeoutMs?: number | undefined;
  /** Certificates, as `undiciFetch` takes them. */
  readonly tls?: TlsOptions | undefined;
}

/** A guard with an HTTP client of its own. */
export type NetworkGuard = ConnectGuard & { readonly fetch: PooledFetch } & AsyncDisposable;

/**
 * Keeps requests to agents that strangers name out of the own network, for Node: `connect(url, { guard: networkGuard() })`.
 * A name is resolved once, and what was checked is what is connected to. `fetch` alone guards anything else, such as the
 * endpoints of an authorization server. Throws `CONFIG` for a wrong entry of `allow`.
 */
export function networkGuard(options: NetworkGuardOptions = {}): NetworkGuard {
  const { allow = [], ports, requireHttps, lookup, connectTimeoutMs = 10_000, tls } = options;
  const guard = createTargetGuard({ allow: parseAllowList(allow), ports, requireHttps, lookup });
  const pool = pooledFetch(async () => {
    const [undici, { guardedConnect }] = await Promise.all([
      import("undici"),
      import("../net/guarded-connect.js"),
    ]);
    const agent = new undici.Agent({
      connect: guardedConnect(guard, connectTimeoutMs, tls),
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return { fetch: undici.fetch, agent };
  });
  const send = async (...[url, init]: Parameters<PooledFetch>): ReturnType<PooledFetch> => {
    try {
      return await pool(url, init);
    } catch (error) {
      const refused = forbidden(error);
      throw refused ? new A2AError("FORBIDDEN_TARGET", refused.message) : error;
    }
  };
  const fetch = Object.assign(send, {
    close: () => pool.close(),
    [Symbol.asyncDispose]: () => pool.close(),
  });
  return {
    fetch,
    async problem(url) {
      const problem = guard.problem(url);
      if (problem !== undefined) return problem;
      try {
        await guard.resolve(new URL(url));
        return undefined;
      } catch (error) {
        // A name that cannot be resolved now is told when it is called.
        return error instanceof ForbiddenTarget ? error.message.replace(/^The URL /, "") : undefined;
      }
    },
    async addresses(url) {
      try {
        return (await guard.resolve(new URL(url))).map(({ address }) => address);
      } catch (error) {
        throw error instanceof ForbiddenTarget ? new A2AError("FORBIDDEN_TARGET", error.message) : error;
      }
    },
    [Symbol.asyncDispose]: () => pool.close(),
  };
}

/** undici wraps what its connector throws. */
function forbidden(error: unknown): ForbiddenTarget | undefined {
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    if (one instanceof ForbiddenTarget) return one;
  }
  return undefined;
}
