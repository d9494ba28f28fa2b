import { setTimeout as delay } from "node:timers/promises";
import { checkStore } from "../check-store.js";
import { Cluster } from "../cluster.js";
import { rounds, type Fault } from "../fault.js";
import { checkWorks, nothing } from "../invariants.js";
import { startLoad } from "../load.js";
import { postgresPlace, sqlitePlace } from "../places.js";

const LEASE = 600;
const PLAN = { steps: 24, pauseMs: 20 };

/** The owner stands still for longer than its lease, then goes on as if nothing had happened: it may write nothing more. */
export function stallOwner(kind: "sqlite" | "postgres"): Fault {
  return {
    name: `stall-owner-${kind}`,
    ...(kind === "postgres" && { needs: ["postgres"] }),
    async run(context) {
      const { random, file, postgres } = context;
      await using place = await (kind === "sqlite" ? sqlitePlace() : postgresPlace(postgres));
      const settings = { store: place.settings, recovery: "rerun", leaseMs: LEASE } as const;
      await using cluster = new Cluster(file, settings, random);
      await Promise.all([cluster.start(), cluster.start()]);
      const checked = nothing();
      const times = rounds(context, 20);
      for (let left = times; left > 0; left -= 1) {
        const owner = cluster.any();
        const load = startLoad({
          ...{ cluster, random, owner, tasks: 4, plan: PLAN, within: 20_000, anywhere: true },
        });
        await load.reached(1 + random.below(150));
        owner.stall();
        await delay(LEASE * (1 + random.below(3)));
        owner.wake();
        await load.done;
        await checkWorks(load.works, place.store, cluster.up, checked);
      }
      await checkStore(place, cluster.any(), checked);
      return { struck: `${String(times)} times still`, checked };
    },
  };
}
