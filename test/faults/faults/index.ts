import type { Fault } from "../fault.js";
import { cutRedis } from "./cut-redis.js";
import { fullDisk } from "./full-disk.js";
import { killOwner } from "./kill-owner.js";
import { killPostgres } from "./kill-postgres.js";
import { partitionPostgres } from "./partition-postgres.js";
import { slowStore } from "./slow-store.js";
import { stallOwner } from "./stall-owner.js";

/** All faults, in the order in which they strike. */
export const faults: readonly Fault[] = [
  killOwner("sqlite", "rerun"),
  killOwner("sqlite", "fail"),
  killOwner("postgres", "rerun"),
  killOwner("postgres", "fail"),
  stallOwner("sqlite"),
  stallOwner("postgres"),
  killPostgres,
  partitionPostgres,
  cutRedis("kill"),
  cutRedis("partition"),
  fullDisk,
  slowStore,
];
