import type { ServerCase } from "../harness/bench-case.js";
import { repeat } from "../harness/load.js";
import { sendRequest } from "../harness/requests.js";
import type { ServerName } from "../harness/server-process.js";

const subjects: readonly ServerName[] = ["raw", "ours", "official"];

/** Heap of a server per finished task that it keeps: indexes and all, nothing evicted. */
const heapPerTask: ServerCase = {
  name: "Heap per finished task",
  unit: "bytes per task",
  subjects,
  slices: 1,
  rounds: 3,
  async measure(subject, round) {
    const [first, amount] = round.effort.quick || subject === "official" ? [500, 3_000] : [2_000, 20_000];
    const server = await round.fresh(subject, {
      flags: ["--expose-gc"],
      env: { BENCH_MAX_TASKS: String(amount * 2) },
    });
    const sent = sendRequest(server, "JSON-RPC");
    // What is made once, code above all, is no cost of a task.
    await repeat(server, sent, { connections: 8, amount: first });
    const before = await server.heap();
    await repeat(server, sent, { connections: 8, amount });
    return { cost: ((await server.heap()) - before) / amount };
  },
  targets: [{ kind: "cost", to: "ours", atMost: 1_100 }],
};

const rssAtStart: ServerCase = {
  name: "RSS at start",
  unit: "MB",
  subjects,
  async measure(subject, round) {
    const server = await round.fresh(subject);
    return { cost: (await server.usage()).rss / 1e6 };
  },
  targets: [{ kind: "cost", to: "ours", than: "raw", atMost: 12 }],
};

/** What a server takes of the memory: at its start, and for each task. */
export const memory: readonly ServerCase[] = [heapPerTask, rssAtStart];
