/** A process that claims deliveries, holds each for a moment and settles it in one of several ways, as it is told. */
import { setImmediate, setTimeout as wait } from "node:timers/promises";
import { postgresStore } from "../../../src/postgres.js";
import { sqliteStore } from "../../../src/store/sqlite/sqlite-store.js";
import type { TaskStore } from "../../../src/store/types.js";
import type { Held, RaceOrder, RaceReport } from "./race.js";
import type { Place } from "./start-instance.js";

/** Milliseconds: of a claim that is kept, and of one that is left to run out. */
const LONG = 60_000;
const SHORT = 15;

const [placeText = "{}", holder = ""] = process.argv.slice(2);
const place = JSON.parse(placeText) as Place;
const store = "path" in place ? await sqliteStore(place) : await postgresStore({ ...place, max: 2 });
const report = (said: RaceReport): void => {
  process.send?.(said);
};
let over = false;
process.on("message", (order: RaceOrder) => {
  if (order.order === "stop") over = true;
  else
    void race(store, order).then((held) => {
      report({ held });
    });
});
report({ ready: true });

/** Microseconds by a clock that all processes of the machine share. */
const clock = (): number => Number(process.hrtime.bigint() / 1_000n);

async function race(
  { outbox }: TaskStore,
  { prefix, limits, fates }: Extract<RaceOrder, { order: "race" }>,
): Promise<Held[]> {
  over = false;
  const all: Held[] = [];
  for (let i = 0; !over; i += 1) {
    const fate = fates[i % fates.length] ?? "done";
    const ttl = fate === "leave" ? SHORT : LONG;
    const now = Date.now();
    const claimed = await outbox.claim(holder, now, ttl, limits[i % limits.length] ?? 1);
    const from = clock();
    if (claimed.length === 0) await wait(1);
    for (const delivery of claimed) {
      const { taskId, configId, n, attempts } = delivery;
      if (!taskId.startsWith(prefix)) throw new Error(`of another race: ${taskId}`);
      if (i % 3 === 0) await setImmediate();
      all.push({ key: `${taskId} ${configId}`, n, attempts, fate, from, to: clock(), now, until: now + ttl });
      if (fate === "later") await outbox.ack(delivery, { retryAt: Date.now() + (i % 4) });
      if (fate !== "done") continue;
      await outbox.ack(delivery);
      report({ done: 1 });
    }
  }
  return all;
}
