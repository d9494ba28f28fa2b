import { setTimeout as delay } from "node:timers/promises";
import { startProxy } from "../../bus/proxy.js";
import { startRedis } from "../../services/redis.js";
import { checkStore } from "../check-store.js";
import { Cluster } from "../cluster.js";
import { rounds, type Fault } from "../fault.js";
import { checkWorks, nothing } from "../invariants.js";
import { startLoad } from "../load.js";
import { sqlitePlace } from "../places.js";

const LEASE = 1_500;
const PLAN = { steps: 40, pauseMs: 20 };

/**
 * Redis, over which instances tell each other what happens, gets `kill -9`; or it is only the owner who hears and tells
 * nothing more, for the network passes nothing on. Whoever follows a task elsewhere sees all of it all the same.
 */
export function cutRedis(how: "kill" | "partition"): Fault {
  return {
    name: `${how}-redis`,
    needs: ["redis"],
    async run(context) {
      const { random, file } = context;
      await using redis = await startRedis();
      await using proxy = await startProxy(redis.port);
      await using place = await sqlitePlace();
      const settings = { store: place.settings, recovery: "rerun", leaseMs: LEASE } as const;
      await using cluster = new Cluster(file, { ...settings, bus: redis.url }, random);
      const [owner] = await Promise.all([
        cluster.start({ bus: `redis://127.0.0.1:${String(proxy.port)}` }),
        cluster.start(),
        cluster.start(),
      ]);
      const checked = nothing();
      const times = rounds(context, 30);
      for (let left = times; left > 0; left -= 1) {
        const load = startLoad({
          ...{ cluster, random, tasks: 5, plan: PLAN, within: 30_000, anywhere: true },
          owner: how === "kill" ? cluster.any() : owner,
        });
        await load.reached(1 + random.below(200));
        if (how === "kill") await redis.kill();
        else proxy.freeze();
        if (random.below(2) === 0) await delay(random.below(500));
        else await load.done;
        if (how === "kill") await redis.start();
        else proxy.thaw();
        await load.done;
        await checkWorks(load.works, place.store, cluster.up, checked);
      }
      await checkStore(place, cluster.any(), checked);
      return { struck: `${String(times)} times`, checked };
    },
  };
}
