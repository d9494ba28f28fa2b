import { setTimeout as delay } from "node:timers/promises";
import { messageOf, send } from "../calls.js";
import { checkStore } from "../check-store.js";
import { Cluster } from "../cluster.js";
import { rounds, type Fault } from "../fault.js";
import { smallDisk } from "../small-disk.js";
import { checkWorks, nothing } from "../invariants.js";
import { startLoad } from "../load.js";
import { sqlitePlace } from "../places.js";

const LEASE = 600;
const DISK = 16 * 1024 * 1024;
const PLAN = { steps: 60, pauseMs: 20 };
/** Calls that find out whether the disk is full; each of them writes more than a page. */
const TRIES = 2_000;

/**
 * The disk of a SQLite file runs full in the middle of runs: calls are answered with an error, nothing is written by halves,
 * and when there is room everything goes on.
 */
export const fullDisk: Fault = {
  name: "full-disk-sqlite",
  needs: ["mount"],
  async run(context) {
    const { random, file } = context;
    using disk = smallDisk(DISK);
    await using place = await sqlitePlace(disk.dir);
    const settings = { store: place.settings, recovery: "rerun", leaseMs: LEASE } as const;
    await using cluster = new Cluster(file, settings, random);
    await Promise.all([cluster.start(), cluster.start()]);
    const checked = nothing();
    const times = rounds(context, 10);
    let refusals = 0;

    /** Until a call is refused because nothing can be written; what was refused is not there. */
    async function feelIt(url: string): Promise<void> {
      for (let tries = 0; tries < TRIES; tries += 1) {
        const body = messageOf(
          `full-${String(tries)}`,
          JSON.stringify({ steps: 0, pauseMs: 0, x: "x".repeat(8_000) }),
        );
        const answer = await send(url, body, AbortSignal.timeout(30_000));
        if ("task" in answer) continue;
        refusals += 1;
        if (answer.status < 500)
          checked.problems.push(`a full disk was answered with ${JSON.stringify(answer)}`);
        return;
      }
      checked.problems.push(`${String(TRIES)} calls were answered although the disk is full`);
    }

    for (let left = times; left > 0; left -= 1) {
      const owner = cluster.any();
      const load = startLoad({
        ...{ cluster, random, owner, tasks: 4, plan: PLAN, within: 30_000, anywhere: true },
      });
      await load.reached(1 + random.below(100));
      disk.fill();
      await feelIt(owner.url);
      await delay(random.below(3 * LEASE));
      disk.clear();
      await load.done;
      await checkWorks(load.works, place.store, cluster.up, checked);
    }
    await checkStore(place, cluster.any(), checked);
    return { struck: `${String(times)} times full, ${String(refusals)} calls refused`, checked };
  },
};
