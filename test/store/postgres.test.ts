import pg from "pg";
import { afterAll, describe, test } from "vitest";
import { postgresStore } from "../../src/postgres.js";
import { storeConformance } from "../../src/testing.js";
import { serviceUrl } from "../services/service-url.js";
import { emptyTables, newSchema } from "./postgres-fixture.js";

const url = serviceUrl("postgres", "the PostgreSQL store") ?? "";

describe.skipIf(url === "")("the store contract in PostgreSQL", () => {
  const schema = newSchema();
  storeConformance(
    "postgres",
    async (options) => {
      const open = (): ReturnType<typeof postgresStore> => postgresStore({ url, schema, max: 4, ...options });
      const store = await open();
      await emptyTables(url, schema);
      return { store, reopen: open };
    },
    { test },
  );
});

describe.skipIf(url === "")(
  "the store contract over a pool of one's own, which waits for each answer",
  () => {
    const schema = newSchema();
    const pool = new pg.Pool({ connectionString: url, max: 4 });
    afterAll(() => pool.end());
    storeConformance(
      "postgres",
      async (options) => {
        const open = (): ReturnType<typeof postgresStore> => postgresStore({ pool, schema, ...options });
        const store = await open();
        await emptyTables(url, schema);
        return { store, reopen: open };
      },
      { test },
    );
  },
);
