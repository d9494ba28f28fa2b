import { Agent } from "node:http";
import type { Slice } from "./bench-case.js";
import { EventCounter } from "./event-counter.js";
import { exchange, streamRequest, type Binding } from "./requests.js";
import type { ServerProcess } from "./server-process.js";

/** Which streams are read. */
export interface Streams {
  readonly chunks: number;
  readonly distinct?: boolean;
  readonly binding?: Binding;
  /** How many streams, and how many of them at once; default 1. */
  readonly times: number;
  readonly atOnce?: number;
}

/** Server CPU of one event, in µs, over all events of these streams; too few of them fail the run. */
export async function measureStream(
  server: ServerProcess,
  { chunks, times, atOnce = 1, ...asked }: Streams,
): Promise<Slice> {
  const agent = new Agent({ keepAlive: true });
  const firsts: number[] = [];
  let events = 0;
  const read = async (): Promise<void> => {
    const start = performance.now();
    const counter = new EventCounter();
    let first: number | undefined;
    const onText = (text: string): void => {
      first ??= performance.now() - start;
      counter.add(text);
    };
    await exchange(server, streamRequest(server, chunks, asked), onText, agent);
    // The task, the chunks and the end.
    if (counter.events < chunks + 2) {
      throw new Error(`${server.name}: ${String(counter.events)} events, of ${String(chunks + 2)} at least`);
    }
    firsts.push(first ?? 0);
    events += counter.events;
  };
  const before = await server.usage();
  const start = performance.now();
  for (let done = 0; done < times; done += atOnce) {
    await Promise.all(Array.from({ length: Math.min(atOnce, times - done) }, read));
  }
  const elapsed = performance.now() - start;
  const after = await server.usage();
  agent.destroy();
  return {
    cost: (after.cpu - before.cpu) / events,
    rate: (events / elapsed) * 1000,
    latency: firsts.reduce((sum, first) => sum + first, 0) / firsts.length,
  };
}
