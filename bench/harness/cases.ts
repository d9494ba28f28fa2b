import { getRequest, sendRequest, type Binding } from "./requests.js";
import { createTask, measureLoad, measureStream, type Sample } from "./measure.js";
import type { ServerName } from "./build-servers.js";
import type { ServerProcess } from "./server-process.js";

/** How long and how often. */
export interface Effort {
  readonly rounds: number;
  /** Seconds of each load. */
  readonly loadSeconds: number;
  /** Requests of each kind that a new process gets before it is measured, so that its code is compiled. */
  readonly warmUpRequests: number;
}

/** One thing that is measured, once per round and server. */
export interface BenchCase {
  readonly name: string;
  readonly servers: readonly ServerName[];
  /** What `rate` counts. */
  readonly unit: "requests" | "events";
  run(server: ServerProcess, effort: Effort): Promise<Sample>;
}

const all: readonly ServerName[] = ["raw", "ours", "official"];
const linear: readonly ServerName[] = ["raw", "ours"];
const bindings: readonly Binding[] = ["JSON-RPC", "HTTP+JSON"];

/** Connections of the load cases. */
export const CONNECTIONS = 32;

const loads: readonly BenchCase[] = bindings.flatMap((binding) => [
  {
    name: `SendMessage ${binding}`,
    servers: all,
    unit: "requests" as const,
    run: (server: ServerProcess, { loadSeconds }: Effort) =>
      measureLoad(server, sendRequest(server, binding), CONNECTIONS, loadSeconds),
  },
  {
    name: `GetTask ${binding}`,
    servers: all,
    unit: "requests" as const,
    run: async (server: ServerProcess, { loadSeconds }: Effort) =>
      measureLoad(server, getRequest(server, binding, await createTask(server)), CONNECTIONS, loadSeconds),
  },
]);

const stream = (chunks: number, times: number, servers: readonly ServerName[]): BenchCase => ({
  name: `Stream of ${chunks}`,
  servers,
  unit: "events",
  // The official SDK takes seconds per long stream: once per round says enough.
  run: (server) => measureStream(server, chunks, server.name === "official" && chunks >= 1000 ? 1 : times),
});

/** All cases, in the order of the table. The official SDK needs 38 s for 4,000 chunks and is left out there. */
export const benchCases: readonly BenchCase[] = [
  ...loads,
  stream(100, 40, all),
  stream(1000, 16, all),
  stream(4000, 4, linear),
];
