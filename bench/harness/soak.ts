import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { repeat } from "./load.js";
import { exchange, getRequest, legacySendRequest, sendRequest, streamRequest } from "./requests.js";
import { startServer, type ServerProcess } from "./server-process.js";
import { median } from "./statistics.js";
import { taskOf } from "./task-of.js";

/** What a server under mixed load took of the memory over time. */
export interface SoakResult {
  readonly seconds: number;
  /** Requests and streams answered. */
  readonly answered: number;
  /** Median RSS in MB of each third of the time, the begin left out: the heap grows to its size in it. */
  readonly thirds: readonly [number, number, number];
  /** That of the last third against the first. */
  readonly growth: number;
  readonly limit: number;
}

/** Tasks that the server keeps, and ms that it keeps events of ended ones: so that the store is full long before the end. */
const KEPT = { tasks: 500, replay: 1_000 };
/** Growth of ten minutes, and of a run so short that the collector's own rhythm shows. */
const LIMIT = { long: 1.1, short: 1.35 };
const LONG = 120;
/** What is left out: a share of the time, and seconds at least. */
const BEGIN = { share: 0.1, seconds: 4 };

/** Messages of 1.0 and 0.3, GetTask, streams and streams that are cut, for so many seconds; RSS is read each second. */
export async function soak(seconds: number): Promise<SoakResult> {
  const server = await startServer("ours", {
    env: { BENCH_MAX_TASKS: String(KEPT.tasks), BENCH_REPLAY_MS: String(KEPT.replay) },
  });
  const until = performance.now() + seconds * 1000;
  let answered = 0;
  const load = async (sent: ReturnType<typeof sendRequest>, connections: number): Promise<void> => {
    const { requests } = await repeat(server, sent, { connections, duration: seconds });
    answered += requests.total;
  };
  const again = async (once: () => Promise<unknown>): Promise<void> => {
    for (; performance.now() < until; answered++) await once();
  };
  const agent = new Agent({ keepAlive: true });
  const rss: number[] = [];
  const watch = async (): Promise<void> => {
    while (performance.now() < until) {
      rss.push((await server.usage()).rss / 1e6);
      await wait(Math.min(1000, (seconds * 1000) / 60));
    }
  };
  await Promise.all([
    watch(),
    load(sendRequest(server, "JSON-RPC"), 4),
    load(sendRequest(server, "HTTP+JSON"), 2),
    load(legacySendRequest(server, "0.3"), 2),
    again(async () => {
      const id = await taskOf(server, sendRequest(server, "HTTP+JSON"));
      await exchange(server, getRequest(server, "HTTP+JSON", id), () => undefined, agent);
    }),
    again(() => exchange(server, streamRequest(server, 1_000), () => undefined, agent)),
    again(() => cutStream(server)),
  ]);
  agent.destroy();
  await server.stop();
  const settled = rss.slice(Math.ceil(rss.length * Math.max(BEGIN.share, BEGIN.seconds / seconds)));
  const third = (n: number): number =>
    median(settled.slice(Math.floor((n * settled.length) / 3), Math.floor(((n + 1) * settled.length) / 3)));
  const thirds = [third(0), third(1), third(2)] as const;
  const limit = seconds >= LONG ? LIMIT.long : LIMIT.short;
  return { seconds, answered, thirds, growth: thirds[2] / thirds[0], limit };
}

/** A stream whose reader goes away in the middle. */
function cutStream(server: ServerProcess): Promise<void> {
  const { method, path, headers, body } = streamRequest(server, 2_000);
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port: server.port, method, path, headers, agent: false },
      (response) => {
        response.once("data", () => sent.destroy());
        response.once("close", resolve);
        response.on("error", () => undefined);
      },
    );
    sent.on("error", (error) => {
      if (!sent.destroyed) reject(error);
    });
    sent.end(body);
  });
}
