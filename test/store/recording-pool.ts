import pg from "pg";
import type { PgPool, PgQuery } from "../../src/store/postgres/load-driver.js";

/** A pool that notes what it is asked. */
export interface RecordingPool {
  readonly pool: PgPool;
  readonly queries: PgQuery[];
  /** Bytes that came from the server over the connections that were used, so far. */
  received(): number;
  end(): Promise<void>;
}

/** A real pool that notes each statement with its values before it is sent. */
export function recordingPool(url: string): RecordingPool {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const queries: PgQuery[] = [];
  const clients = new Set<pg.PoolClient>();
  return {
    queries,
    pool: {
      async connect() {
        const client = await pool.connect();
        clients.add(client);
        return {
          query(query) {
            queries.push(query);
            return client.query<Record<string, unknown>>(query);
          },
          release: (broken) => {
            client.release(broken);
          },
          on: (event, listener) => client.on(event, listener),
          off: (event, listener) => client.off(event, listener),
        };
      },
      end: () => pool.end(),
      on: (event, listener) => pool.on(event, listener),
    },
    received: () => [...clients].reduce((sum, { connection }) => sum + bytesOf(connection.stream), 0),
    end: () => pool.end(),
  };
}

const bytesOf = (stream: object): number =>
  "bytesRead" in stream && typeof stream.bytesRead === "number" ? stream.bytesRead : 0;
