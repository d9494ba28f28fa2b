import { setTimeout as delay } from "node:timers/promises";
import type { Scope, TaskStore } from "../../../src/store/types.js";
import { startProxy } from "../../bus/proxy.js";
import { checkStore } from "../check-store.js";
import { Cluster } from "../cluster.js";
import { rounds, type Fault } from "../fault.js";
import { checkWorks, nothing } from "../invariants.js";
import { startLoad } from "../load.js";
import { postgresPlace } from "../places.js";

const SCOPE: Scope = { tenant: "", owner: "" };
const LEASE = 1_000;
const PLAN = { steps: 24, pauseMs: 40 };
/** Milliseconds within which others must have ended the tasks: the server gives up an open transaction after two seconds. */
const TAKEN_OVER = 12_000;

/**
 * The network between the owner and PostgreSQL passes nothing on for longer than the lease, and then all that it held back:
 * another instance has the tasks by then, and what the old owner sent is refused.
 */
export const partitionPostgres: Fault = {
  name: "partition-postgres",
  needs: ["postgres"],
  async run(context) {
    const { random, file, postgres } = context;
    await using place = await postgresPlace(postgres);
    if (place.settings.kind !== "postgres") throw new Error("not a place in PostgreSQL");
    const far = new URL(place.settings.url);
    await using proxy = await startProxy(Number(far.port));
    far.port = String(proxy.port);
    const settings = { store: place.settings, recovery: "rerun", leaseMs: LEASE } as const;
    await using cluster = new Cluster(file, settings, random);
    const [owner] = await Promise.all([
      cluster.start({ store: { kind: "postgres", url: far.href } }),
      cluster.start(),
    ]);
    const checked = nothing();
    const times = rounds(context, 20);
    let slowest = 0;
    for (let left = times; left > 0; left -= 1) {
      const load = startLoad({
        ...{ cluster, random, owner, tasks: 4, plan: PLAN, within: 30_000, anywhere: true },
      });
      await load.reached(1 + random.below(150));
      proxy.freeze();
      const cut = Date.now();
      // The callers of the old owner hear nothing until it is back; the tasks go on without it.
      const ids = load.works.map(({ id }) => id).filter((id) => id !== undefined);
      const allEnded = await endedIn(place.store, ids, TAKEN_OVER);
      if (!allEnded) checked.problems.push(`not all ended within ${String(TAKEN_OVER)} ms of a partition`);
      slowest = Math.max(slowest, Date.now() - cut);
      if (random.below(2) === 0) await delay(random.below(LEASE));
      proxy.thaw();
      await load.done;
      await checkWorks(load.works, place.store, cluster.up, checked);
    }
    await checkStore(place, cluster.any(), checked);
    return {
      struck: `${String(times)} partitions, all tasks ended elsewhere within ${String(slowest)} ms`,
      checked,
    };
  },
};

/** Whether tasks have ended within so many milliseconds. */
async function endedIn(store: TaskStore, ids: readonly string[], within: number): Promise<boolean> {
  const deadline = Date.now() + within;
  for (const id of ids) {
    while ((await store.read(SCOPE, id))?.head.terminal !== true) {
      if (Date.now() > deadline) return false;
      await delay(20);
    }
  }
  return true;
}
