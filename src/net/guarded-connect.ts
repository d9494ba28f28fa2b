import type { LookupFunction } from "node:net";
import type { ConnectionOptions } from "node:tls";
import { buildConnector } from "undici";
import type { ResolvedAddress, TargetGuard } from "./target-guard.js";

type Certificates = Pick<ConnectionOptions, "cert" | "key" | "pfx" | "passphrase" | "ca">;

/**
 * The `connect` of an undici agent that goes to checked addresses only. A name is resolved once: what was checked is
 * what is connected to, so a name that changes its mind in between gains nothing. TLS still checks the name.
 */
export function guardedConnect(
  guard: TargetGuard,
  timeoutMs: number,
  tls: Certificates = {},
): buildConnector.connector {
  return (options, callback) => {
    const url = new URL(`${options.protocol}//${options.host ?? options.hostname}`);
    within(timeoutMs, guard.resolve(url)).then(
      (addresses) => {
        buildConnector({ ...tls, timeout: timeoutMs, lookup: always(addresses) })(options, callback);
      },
      (error: unknown) => {
        callback(error instanceof Error ? error : new Error(String(error)), null);
      },
    );
  };
}

function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`The name was not resolved within ${String(ms)} ms`));
    }, ms);
    promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}

/** A lookup that has the answer already. */
const always =
  (addresses: readonly ResolvedAddress[]): LookupFunction =>
  (hostname, { all }, callback) => {
    const [first] = addresses;
    if (first === undefined) callback(new Error(`${hostname} has no address`), "", 0);
    else if (all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
