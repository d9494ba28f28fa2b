import type { BenchCase } from "../harness/bench-case.js";
import { streams } from "./streams.js";
import { unary } from "./unary.js";

/** All cases, in the order of the table. */
export const allCases: readonly BenchCase[] = [...unary, ...streams];
