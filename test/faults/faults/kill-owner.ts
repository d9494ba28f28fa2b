import { setTimeout as delay } from "node:timers/promises";
import { checkStore } from "../check-store.js";
import { Cluster } from "../cluster.js";
import { rounds, type Fault } from "../fault.js";
import { checkWorks, nothing } from "../invariants.js";
import { startLoad } from "../load.js";
import { postgresPlace, sqlitePlace } from "../places.js";

const LEASE = 600;
const TASKS = 4;
const LANES = 3;
const PLAN = { steps: 24, pauseMs: 20 };
/** Events of a run that its followers see, about. */
const EVENTS = (TASKS - 1) * PLAN.steps * 2 * 2;
/** Milliseconds that a run takes, about. */
const LENGTH = PLAN.steps * PLAN.pauseMs;
const WITHIN = 30_000;

/** The owner of tasks gets `kill -9` at a random time, or after a random number of events; sometimes its heir too. */
export function killOwner(kind: "sqlite" | "postgres", recovery: "fail" | "rerun"): Fault {
  return {
    name: `kill-owner-${kind}-${recovery}`,
    ...(kind === "postgres" && { needs: ["postgres"] }),
    async run(context) {
      const { random, file } = context;
      await using place = await (kind === "sqlite" ? sqlitePlace() : postgresPlace(context.postgres));
      const at = place.settings;
      const settings = {
        store: at,
        recovery,
        leaseMs: LEASE,
        ...(at.kind === "postgres" && { bus: at.url }),
      };
      const checked = nothing();
      let kills = 0;
      let left = rounds(context, 100);

      async function strike(cluster: Cluster): Promise<void> {
        const owner = cluster.any();
        const load = startLoad({
          ...{ cluster, random, owner, tasks: TASKS, plan: PLAN, within: WITHIN, anywhere: true },
        });
        await load.reached(random.below(4) === 0 ? 0 : random.below(EVENTS));
        if (random.below(2) === 0) await delay(random.below(LENGTH));
        kills += 1;
        await owner.kill();
        const next = cluster.start();
        if (random.below(6) === 0) {
          await next;
          await delay(random.below(2 * LEASE));
          kills += 1;
          await cluster.any().kill();
          await cluster.start();
        }
        await next;
        await load.done;
        await checkWorks(load.works, place.store, cluster.up, checked);
      }

      // Several at once, for most of the time they wait for leases to end: they recover each other's tasks too.
      const clusters = Array.from({ length: LANES }, () => new Cluster(file, settings, random));
      try {
        await Promise.all(
          clusters.map(async (cluster) => {
            await Promise.all([cluster.start(), cluster.start()]);
            while (left-- > 0) await strike(cluster);
          }),
        );
        await checkStore(place, clusters[0]!.any(), checked);
      } finally {
        for (const cluster of clusters) await cluster[Symbol.asyncDispose]();
      }
      return { struck: `${String(kills)} kills`, checked };
    },
  };
}
