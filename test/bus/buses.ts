import { postgresBus } from "../../src/bus/postgres-bus.js";
import { redisBus } from "../../src/bus/redis-bus.js";
import type { EventBus } from "../../src/bus/types.js";
import { postgresBin, startPostgres } from "../services/postgres.js";
import { redisBin, startRedis } from "../services/redis.js";
import type { Service } from "../services/service.js";

/** A bus over a server, for tests that are the same for all of them. */
export interface NetworkCase {
  readonly name: string;
  /** Whether its server is not there. */
  readonly missing: boolean;
  readonly start: () => Promise<Service>;
  /** Opens a bus; `name` is that of the stream or channel. */
  readonly open: (url: string, name?: string) => EventBus;
  /** Bytes of a message. */
  readonly maxPayload: number;
}

export const networks: readonly NetworkCase[] = [
  {
    name: "redis",
    missing: redisBin() === undefined,
    start: startRedis,
    open: (url, prefix) => redisBus({ url, ...(prefix !== undefined && { prefix }) }),
    maxPayload: 4_096,
  },
  {
    name: "postgres",
    missing: postgresBin() === undefined,
    start: startPostgres,
    open: (url, channel) => postgresBus({ url, ...(channel !== undefined && { channel }) }),
    maxPayload: 7_999,
  },
];

if (redisBin() === undefined) console.log("skipped: buses over Redis; run: apt-get install redis-server");
if (postgresBin() === undefined)
  console.log("skipped: buses over PostgreSQL; run: apt-get install postgresql");
