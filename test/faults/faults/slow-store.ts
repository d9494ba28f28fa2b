import { setTimeout as delay } from "node:timers/promises";
import { messageOf, openStream, send } from "../calls.js";
import { checkStore } from "../check-store.js";
import { Cluster } from "../cluster.js";
import { rounds, type Fault } from "../fault.js";
import { checkWorks, nothing } from "../invariants.js";
import { startLoad } from "../load.js";
import { sqlitePlace } from "../places.js";

/** Milliseconds that each call of the store takes more, at most. */
const SLOW = 150;
const LEASE = 3_000;
const PLAN = { steps: 24, pauseMs: 20 };
const LIMIT = 8;
/** Bytes that a process may hold more while a task says much more than the store takes. */
const GROWTH = 24 * 1024 * 1024;
const BALLAST = 4_096;

/** A store that takes its time: nothing is lost, no lease runs out, limits hold, and what waits for it is bounded. */
export const slowStore: Fault = {
  name: "slow-store-sqlite",
  async run(context) {
    const { random, file } = context;
    await using place = await sqlitePlace();
    const settings = { store: place.settings, recovery: "rerun", leaseMs: LEASE, slowMs: SLOW } as const;
    await using cluster = new Cluster(file, settings, random);
    const [, , strict] = await Promise.all([
      cluster.start(),
      cluster.start(),
      cluster.start({ runningTasks: LIMIT }),
    ]);
    const checked = nothing();
    const times = rounds(context, 20);
    for (let left = times; left > 0; left -= 1) {
      const load = startLoad({
        ...{ cluster, random, owner: cluster.any(), tasks: 4, plan: PLAN, within: 60_000, anywhere: true },
      });
      await load.done;
      await checkWorks(load.works, place.store, cluster.up, checked);
    }
    await checkStore(place, cluster.any(), checked);

    const many = await Promise.all(
      Array.from({ length: 3 * LIMIT }, (_, n) =>
        send(
          strict.url,
          messageOf(`limit-${String(n)}`, JSON.stringify({ steps: 4, pauseMs: 200 })),
          AbortSignal.timeout(60_000),
        ),
      ),
    );
    const taken = many.filter((answer) => "task" in answer).length;
    if (taken !== LIMIT || many.some((answer) => "status" in answer && answer.status !== 429))
      checked.problems.push(`of ${String(many.length)} calls at once ${String(taken)} were taken`);

    const talker = await cluster.start();
    const before = await talker.heap();
    const plan = { steps: Math.max(4_000, 20_000 * context.scale), pauseMs: 0, ballast: BALLAST };
    // A subscriber that reads nothing is there, too: what it does not read does not wait for it in memory.
    const end = new AbortController();
    await openStream(talker.url, messageOf("much", JSON.stringify(plan)), end.signal);
    let most = 0;
    for (let looks = 0; looks < 10; looks += 1) {
      await delay(300);
      most = Math.max(most, (await talker.heap()) - before);
    }
    end.abort();
    if (most > GROWTH) checked.problems.push(`a process grew by ${mib(most)} while its store was slow`);
    return {
      struck: `${String(times)} runs, ${String(taken)} of ${String(many.length)} taken, grew by ${mib(most)}`,
      checked,
    };
  },
};

const mib = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;
