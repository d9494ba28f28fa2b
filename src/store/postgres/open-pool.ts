import { A2AError } from "../../errors.js";
import { loadPool, type PgPool } from "./load-driver.js";

/** Milliseconds that a connection may take to come, and an answer; what waits longer is lost, and tried again by the engine. */
const CONNECT_WITHIN = 10_000;
const ANSWER_WITHIN = 60_000;
/**
 * Milliseconds after which the server gives up a transaction of an instance that stands still or is cut off: until then its
 * locks hold off whoever is to take its tasks over. Between two exchanges there is no more than a turn of the event loop.
 */
const IDLE_WITHIN = 2_000;

/**
 * A pool of connections that send ahead of the answers. Throws `CONFIG` where the URL is none of PostgreSQL, or `pg` is
 * missing; no message repeats the URL, for it may hold a password.
 */
export async function openPool(url: string, max: number): Promise<PgPool> {
  checkUrl(url);
  const Pool = await loadPool();
  const pool = new Pool({
    connectionString: url,
    max,
    pipeline: true,
    keepAlive: true,
    application_name: "a2a-typed",
    connectionTimeoutMillis: CONNECT_WITHIN,
    query_timeout: ANSWER_WITHIN,
    idle_in_transaction_session_timeout: IDLE_WITHIN,
  });
  // A connection that breaks while nobody uses it: the pool opens another one when it is needed.
  pool.on("error", () => undefined);
  return pool;
}

const heard = new WeakSet<PgPool>();

/**
 * Hears what breaks the connections of a pool from their first moment: one that is lost in the very packet in which it is
 * ready, before anybody got it, would end the process otherwise.
 */
export function hearConnections(pool: PgPool): PgPool {
  if (heard.has(pool)) return pool;
  heard.add(pool);
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
  });
  return pool;
}

function checkUrl(url: string): void {
  const told = "postgres://user:password@host:5432/database";
  try {
    if (["postgres:", "postgresql:"].includes(new URL(url).protocol)) return;
  } catch {
    // The message of `URL` would repeat it.
  }
  throw new A2AError("CONFIG", `store: this is no URL of a PostgreSQL database; it looks like ${told}`);
}
