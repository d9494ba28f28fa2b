import { A2AError } from "../errors.js";
import { loadDriver } from "./load-driver.js";
import { networkBus } from "./network-bus.js";
import type { EventBus } from "./types.js";

/** What PostgreSQL takes is less than 8,000 bytes. */
const MAX_PAYLOAD = 7_999;
/** Bytes of a name. */
const MAX_NAME = 63;

/** Options of `postgresBus`. */
export interface PostgresBusOptions {
  /** `postgres://[user:password@]host[:port][/database]`, of the server itself: a pooler in transaction mode cannot listen. */
  readonly url: string;
  /** Name of the channel: agents that share a database but not their tasks need one each. Default `"a2a"`, at most 63 bytes. */
  readonly channel?: string;
}

/** A bus over LISTEN and NOTIFY of PostgreSQL: one connection. Needs the package `pg`. */
export function postgresBus({ url, channel = "a2a" }: PostgresBusOptions): EventBus {
  if (!/^postgres(?:ql)?:\/\//.test(url))
    throw new A2AError("CONFIG", "bus: url must be postgres://host:port/database");
  if (channel === "" || Buffer.byteLength(channel) > MAX_NAME)
    throw new A2AError("CONFIG", `bus: channel must have 1 to ${String(MAX_NAME)} bytes`);
  return networkBus(MAX_PAYLOAD, async () => {
    const { default: pg } = await loadDriver("pg", () => import("pg"));
    const { postgresSessions } = await import("./postgres-session.js");
    return postgresSessions(pg.Client, { url, channel });
  });
}
