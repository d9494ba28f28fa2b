import { A2AError } from "../errors.js";
import { loadDriver } from "./load-driver.js";
import { networkBus } from "./network-bus.js";
import type { EventBus } from "./types.js";

/** Options of `redisBus`. */
export interface RedisBusOptions {
  /** `redis://[user:password@]host[:port][/db]`, or `rediss://` for TLS. */
  readonly url: string;
  /** Names the stream, `<prefix>:news`: agents that share a Redis but not their tasks need one each. Default `"a2a"`. */
  readonly prefix?: string;
  /** About how many messages the stream keeps for instances that come back. Default 4,096. */
  readonly maxLength?: number;
  /** Bytes of a message. News that are longer go without their events. 1,024 or more; default 4,096. */
  readonly maxPayload?: number;
}

/** A bus over Redis or Valkey: one stream, two connections. Needs the package `ioredis`. */
export function redisBus({
  url,
  prefix = "a2a",
  maxLength = 4_096,
  maxPayload = 4_096,
}: RedisBusOptions): EventBus {
  if (!/^rediss?:\/\//.test(url) || !URL.canParse(url))
    throw new A2AError("CONFIG", "bus: url must be redis://host:port or rediss://host:port");
  if (prefix === "") throw new A2AError("CONFIG", "bus: prefix must not be empty");
  if (!Number.isSafeInteger(maxLength) || maxLength < 1)
    throw new A2AError("CONFIG", "bus: maxLength must be a whole number from 1");
  if (!Number.isSafeInteger(maxPayload) || maxPayload < 1_024)
    throw new A2AError("CONFIG", "bus: maxPayload must be a whole number of bytes from 1,024");
  return networkBus(maxPayload, async () => {
    const { Redis } = await loadDriver("ioredis", () => import("ioredis"));
    const { redisSessions } = await import("./redis-session.js");
    return redisSessions(Redis, { url, key: `${prefix}:news`, maxLength });
  });
}
