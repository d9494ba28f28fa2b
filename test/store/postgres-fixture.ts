import { randomUUID } from "node:crypto";
import pg from "pg";

/** A schema of a test's own. */
export const newSchema = (): string => `test_${randomUUID().replaceAll("-", "")}`;

/** Rows of a query in one schema. */
export async function ask(
  url: string,
  schema: string,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(`set search_path to ${schema}`);
    return (await client.query<Record<string, unknown>>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Empties the tables of a schema: quicker than new ones for each case. */
export async function emptyTables(url: string, schema: string): Promise<void> {
  const tables = ["tasks", "events", "messages", "configs", "outbox", "letters", "counts"];
  await ask(url, schema, tables.map((table) => `delete from a2a_${table}`).join(";"));
}
