import { setTimeout as delay } from "node:timers/promises";
import { startPostgres } from "../../services/postgres.js";
import { checkStore } from "../check-store.js";
import { Cluster } from "../cluster.js";
import { rounds, type Fault } from "../fault.js";
import { checkWorks, nothing } from "../invariants.js";
import { startLoad } from "../load.js";
import { postgresPlace } from "../places.js";

const LEASE = 1_500;
const PLAN = { steps: 24, pauseMs: 20 };

/** PostgreSQL gets `kill -9` in the middle of runs, is away for a while, sometimes longer than leases, and comes back. */
export const killPostgres: Fault = {
  name: "kill-postgres",
  needs: ["postgres"],
  async run(context) {
    const { random, file } = context;
    await using server = await startPostgres();
    await using place = await postgresPlace(server.url);
    const settings = { store: place.settings, recovery: "rerun", leaseMs: LEASE } as const;
    await using cluster = new Cluster(file, settings, random);
    await Promise.all([cluster.start(), cluster.start()]);
    const checked = nothing();
    const times = rounds(context, 30);
    for (let left = times; left > 0; left -= 1) {
      const owner = cluster.any();
      const load = startLoad({
        ...{ cluster, random, owner, tasks: 4, plan: PLAN, within: 20_000, anywhere: true },
      });
      await load.reached(1 + random.below(150));
      await server.kill();
      await delay(random.below(4) === 0 ? LEASE * 2 : random.below(200));
      await server.start();
      await load.done;
      await checkWorks(load.works, place.store, cluster.up, checked);
    }
    await checkStore(place, cluster.any(), checked);
    return { struck: `${String(times)} kills`, checked };
  },
};
