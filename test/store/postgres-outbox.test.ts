import { expect, test } from "vitest";
import { postgresStore } from "../../src/postgres.js";
import { alice, append, birth } from "../../src/testing/conformance/fixtures.js";
import { serviceUrl } from "../services/service-url.js";
import { ask, newSchema } from "./postgres-fixture.js";

const url = serviceUrl("postgres", "the bound of an outbox in PostgreSQL") ?? "";

test.skipIf(url === "")(
  "of the deliveries that wait for a webhook the newest are kept, and the one on its way",
  async () => {
    const schema = newSchema();
    const store = await postgresStore({ url, schema, maxEvents: 100 });
    await store.commit([birth("a", { outbox: [{ configId: "x", n: 1, text: "1" }] })]);
    const [claimed] = await store.outbox.claim("me", 1_000, 1_000, 10);
    expect(claimed?.n).toBe(1);
    const revisions = Array.from({ length: 1_999 }, (_, i) => i + 2);
    // A filter that lets some through: the bound does not depend on which.
    const outbox = (n: number): { configId: string; n: number; text: string }[] =>
      n % 2 === 0 ? ["x", "y"].map((configId) => ({ configId, n, text: String(n) })) : [];
    await store.commit(revisions.slice(0, 1_000).map((n) => append("a", n, n, { outbox: outbox(n) })));
    await store.commit(revisions.slice(1_000).map((n) => append("a", n, n, { outbox: outbox(n) })));
    for (const config of ["x", "y"]) {
      const rows = await ask(
        url,
        schema,
        "select n::int from a2a_outbox where config_id = $1 and due is null order by n",
        [config],
      );
      const kept = rows.map(({ n }) => n);
      expect(kept.length).toBeGreaterThan(98);
      expect(kept.length).toBeLessThan(200);
      const first = 2_000 - 2 * (kept.length - 1);
      expect(kept).toEqual(Array.from({ length: kept.length }, (_, i) => first + 2 * i));
    }
    if (claimed !== undefined) await store.outbox.ack(claimed);
    const next = await store.outbox.claim("me", 5_000, 1_000, 10);
    const numbers = next.map(({ configId, n }) => `${configId}${String(n)}`);
    expect(numbers.toSorted()).toEqual([expect.stringMatching(/^x1[89]\d\d$/), "y2"]);
    await store.close?.();
  },
);

test.skipIf(url === "")("counters of scopes without tasks go with the last of them", async () => {
  const schema = newSchema();
  const store = await postgresStore({ url, schema, ttl: 0 });
  await store.commit([birth("a")]);
  await store.delete(alice, "a");
  expect(await ask(url, schema, "select * from a2a_counts")).toEqual([]);
  await store.close?.();
});
