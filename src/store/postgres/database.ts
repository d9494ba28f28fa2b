import type { PgClient, PgPool, Row } from "./load-driver.js";
import { postgresFailure } from "./postgres-failure.js";
import { BEGIN, ROLLBACK, type Statement } from "./statement.js";

/** A statement and its values. */
export type Query = readonly [statement: Statement, values?: unknown[]];

/** One connection, within a transaction. */
export interface Session {
  /** Sends queries in order, without waiting in between where the connection allows it. Gives the rows of each. */
  send(...queries: readonly Query[]): Promise<readonly (readonly Row[])[]>;
}

/** Times that a transaction is tried where others stood in its way. */
const TRIES = 10;

/** The pool of a store; statements are told the schema and prepared once per connection. */
export class Database {
  readonly #pool: PgPool;
  readonly #schema: string;
  readonly #close: (() => Promise<void>) | undefined;
  readonly #known = new Map<Statement, { readonly name?: string; readonly text: string }>();
  readonly #open = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  /** `schema` is quoted already; `close` is absent where the pool is someone else's. */
  constructor(pool: PgPool, schema: string, close?: () => Promise<void>) {
    this.#pool = pool;
    this.#schema = schema;
    this.#close = close;
  }

  /** Rows of one statement. */
  query(statement: Statement, values: unknown[] = []): Promise<readonly Row[]> {
    return this.#with(async (session) => (await session.send([statement, values]))[0] ?? []);
  }

  /**
   * A transaction: `work` ends it itself with `COMMIT`, sent with its last writes. It is rolled back where `work` throws,
   * and tried again where that was because of others.
   */
  async transaction<T>(work: (session: Session, first: readonly Query[]) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#with((session) => work(session, [[BEGIN]]), true);
      } catch (error) {
        if (tries === TRIES || !(error instanceof Error && passing.has(error))) throw error;
      }
    }
  }

  /** Waits for what is under way. */
  close(): Promise<void> {
    this.#closed ??= Promise.allSettled(this.#open).then(() => this.#close?.());
    return this.#closed;
  }

  #with<T>(work: (session: Session) => Promise<T>, rollback = false): Promise<T> {
    const running = this.#run(work, rollback);
    this.#open.add(running);
    const done = (): void => {
      this.#open.delete(running);
    };
    running.then(done, done);
    return running;
  }

  async #run<T>(work: (session: Session) => Promise<T>, rollback: boolean): Promise<T> {
    const client = await connect(this.#pool);
    let broken: Error | undefined;
    const lost = (error: Error): void => {
      broken = error;
    };
    // A connection that breaks tells its queries, and this event besides, which nobody may leave unheard.
    client.on("error", lost);
    const session = { send: (...queries: readonly Query[]) => this.#send(client, queries) };
    try {
      return await work(session);
    } catch (error) {
      if (rollback) await this.#send(client, [[ROLLBACK]]).catch(lost);
      throw error;
    } finally {
      client.off("error", lost);
      client.release(broken);
    }
  }

  async #send(client: PgClient, queries: readonly Query[]): Promise<(readonly Row[])[]> {
    const found: (readonly Row[])[] = [];
    if (client.pipeline !== true) {
      for (const query of queries) found.push((await client.query(this.#bound(query)).catch(fail)).rows);
      return found;
    }
    const answers = await Promise.allSettled(queries.map((query) => client.query(this.#bound(query))));
    // The first failure is the cause of the others.
    for (const answer of answers) {
      if (answer.status === "rejected") fail(answer.reason);
      found.push(answer.value.rows);
    }
    return found;
  }

  #bound([statement, values]: Query): { name?: string; text: string; values?: unknown[] } {
    let known = this.#known.get(statement);
    if (known === undefined) {
      const text = statement.text.replaceAll(/\ba2a_/g, `${this.#schema}.a2a_`);
      // Of two schemas on one connection.
      known =
        statement.name === "" ? { text } : { name: `${statement.name} ${this.#schema}`.slice(0, 63), text };
      this.#known.set(statement, known);
    }
    return values === undefined ? known : { ...known, values };
  }
}

/** A connection of a pool. Errors of the driver leave in words of ours. */
export async function connect(pool: PgPool): Promise<PgClient> {
  try {
    return await pool.connect();
  } catch (error) {
    return fail(error);
  }
}

/** Throws what the driver said in words of ours. */
export function fail(error: unknown): never {
  const failure = postgresFailure(error);
  if (error instanceof Error && "code" in error && PASSING.has(error.code)) passing.add(failure);
  throw failure;
}

/** Others stood in the way: a deadlock, a serialization failure, or a task of this name was created at the same time. */
const PASSING: ReadonlySet<unknown> = new Set(["40P01", "40001", "23505"]);
const passing = new WeakSet<Error>();
