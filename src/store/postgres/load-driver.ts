import { A2AError } from "../../errors.js";

/** What is used of a connection of `pg`. */
export interface PgClient {
  /** Queries may be sent before the answers to earlier ones have come. */
  readonly pipeline?: boolean;
  query(query: PgQuery): Promise<{ readonly rows: readonly Row[]; readonly rowCount: number | null }>;
  release(broken?: Error | boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}

/** What is used of a `Pool` of `pg`. */
export interface PgPool {
  connect(): Promise<PgClient>;
  end(): Promise<void>;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "connect", listener: (client: PgClient) => void): unknown;
}

/** A statement with its values; one with a name is prepared once per connection. */
export interface PgQuery {
  readonly name?: string;
  readonly text: string;
  readonly values?: unknown[];
}

/** A row as it came. */
export type Row = Readonly<Record<string, unknown>>;

/** Options of `pg.Pool`. */
export type PgPoolConfig = Readonly<Record<string, unknown>>;

/** Loads `pg`. Throws `CONFIG` where it is not installed. */
export async function loadPool(): Promise<new (config: PgPoolConfig) => PgPool> {
  try {
    const { default: pg } = await import("pg");
    return pg.Pool;
  } catch (cause) {
    throw new A2AError("CONFIG", "store: PostgreSQL needs the package pg; run: npm install pg@8", { cause });
  }
}
