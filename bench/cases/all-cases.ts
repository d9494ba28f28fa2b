import type { BenchCase } from "../harness/bench-case.js";
import { client } from "./client.js";
import { codec } from "./codec.js";
import { list } from "./list.js";
import { memory } from "./memory.js";
import { packageCases } from "./package.js";
import { protobuf } from "./protobuf.js";
import { streams } from "./streams.js";
import { subscriberCases } from "./subscribers.js";
import { unary } from "./unary.js";
import { versions } from "./versions.js";

/** All cases, in the order of the table. */
export const allCases: readonly BenchCase[] = [
  ...unary,
  versions,
  ...streams,
  ...subscriberCases,
  list,
  ...memory,
  client,
  ...codec,
  ...protobuf,
  ...packageCases,
];
