import { Redis } from "ioredis";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { postgresBin, startPostgres } from "./postgres.js";
import { redisBin, startRedis } from "./redis.js";

const missing = [postgresBin() === undefined && "postgresql", redisBin() === undefined && "redis-server"];
const packages = missing.filter((name) => name !== false);
if (packages.length > 0) console.log(`skipped: tests of servers; run: apt-get install ${packages.join(" ")}`);

describe("servers for tests", () => {
  test.skipIf(postgresBin() === undefined)(
    "PostgreSQL keeps what was committed when it is killed",
    async () => {
      await using server = await startPostgres();
      const ask = async (sql: string): Promise<unknown[]> => {
        const client = new pg.Client(server.url);
        await client.connect();
        try {
          return (await client.query<Record<string, unknown>>(sql)).rows;
        } finally {
          await client.end();
        }
      };
      await ask("create table kept as select 1 as n");
      const { pid } = server;
      await server.kill();
      await expect(ask("select 1")).rejects.toThrow("ECONNREFUSED");
      await server.start();
      expect(server.pid).not.toBe(pid);
      expect(await ask("select n from kept")).toEqual([{ n: 1 }]);
      await server.stop();
      await server.start();
      expect(await ask("select n from kept")).toEqual([{ n: 1 }]);
    },
  );

  test.skipIf(redisBin() === undefined)("Redis comes back on the same port", async () => {
    await using server = await startRedis();
    const client = new Redis(server.url, { retryStrategy: () => 10, lazyConnect: true });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.set("key", "value");
      await server.kill();
      await server.start();
      expect(await client.get("key")).toBeNull();
    } finally {
      client.disconnect();
    }
  });
});
