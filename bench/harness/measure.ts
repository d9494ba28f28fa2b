import autocannon, { type Result } from "autocannon";
import { exchange, getRequest, sendRequest, streamRequest, type BenchRequest } from "./requests.js";
import type { ServerProcess } from "./server-process.js";

/** One figure of one round. Times of the server process are CPU times in microseconds. */
export interface Sample {
  /** Server CPU per request or per event, in µs. */
  readonly cpu: number;
  /** Requests or events per second. */
  readonly rate: number;
  /** 99th percentile of the latency in ms (load) or time to the first event in ms (streams). */
  readonly latency: number;
}

/** Lets a new process compile what it will be measured on. */
export async function warmUp(server: ServerProcess, requests: number): Promise<void> {
  for (const binding of ["JSON-RPC", "HTTP+JSON"] as const) {
    await repeat(server, sendRequest(server, binding), { connections: 8, amount: requests });
    // A new one each time: a store that is bounded may have let an older one go.
    const id = await createTask(server);
    await repeat(server, getRequest(server, binding, id), { connections: 8, amount: requests });
  }
  await measureStream(server, 100, 10);
  if (server.name !== "official") await measureStream(server, 1000, 10);
}

/** Sends one request again and again; any answer but 2xx fails the run. */
export async function repeat(
  server: ServerProcess,
  { method, path, headers, body }: BenchRequest,
  load: { readonly connections: number; readonly amount?: number; readonly duration?: number },
): Promise<Result> {
  const url = `http://127.0.0.1:${server.port}${path}`;
  const result = await autocannon({ url, method, headers, ...(body !== undefined && { body }), ...load });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${server.name} ${path}: ${result.non2xx} bad answers, ${result.errors} errors`);
  }
  return result;
}

/** Keeps `connections` busy for `seconds` with one request. */
export async function measureLoad(
  server: ServerProcess,
  sent: BenchRequest,
  connections: number,
  seconds: number,
): Promise<Sample> {
  const before = await server.usage();
  const result = await repeat(server, sent, { connections, duration: seconds });
  const after = await server.usage();
  return {
    cpu: (after.cpu - before.cpu) / result.requests.total,
    rate: result.requests.average,
    latency: result.latency.p99,
  };
}

/** Reads `times` streams of `chunks` chunks, one after the other. */
export async function measureStream(server: ServerProcess, chunks: number, times: number): Promise<Sample> {
  const before = await server.usage();
  let events = 0;
  let elapsed = 0;
  let first = 0;
  for (let n = 0; n < times; n++) {
    const start = performance.now();
    let firstAt: number | undefined;
    const counter = eventCounter();
    await exchange(server, streamRequest(server, chunks), (text) => {
      firstAt ??= performance.now();
      counter.add(text);
    });
    elapsed += performance.now() - start;
    first += (firstAt ?? start) - start;
    if (counter.events < chunks + 2) {
      throw new Error(`${server.name}: ${counter.events} events instead of at least ${chunks + 2}`);
    }
    events += counter.events;
  }
  const after = await server.usage();
  return { cpu: (after.cpu - before.cpu) / events, rate: (events / elapsed) * 1000, latency: first / times };
}

/** Proof that a call of 0.x is answered with a finished task; a JSON-RPC error would count as an answer. */
export async function proveLegacy(server: ServerProcess, sent: BenchRequest): Promise<void> {
  let body = "";
  await exchange(server, sent, (text) => (body += text));
  const { result } = JSON.parse(body) as { result?: { kind?: string; status?: { state: string } } };
  if (result?.kind !== "task" || result.status?.state !== "completed") {
    throw new Error(`${server.name} answered ${body.slice(0, 500)}`);
  }
}

/** The id of a new task, and proof that the server answers as it should. */
export async function createTask(server: ServerProcess): Promise<string> {
  let body = "";
  const status = await exchange(server, sendRequest(server, "HTTP+JSON"), (text) => (body += text));
  const task = (JSON.parse(body) as { task?: { id: string; status: { state: string } } }).task;
  if (status !== 200 || task?.status.state !== "TASK_STATE_COMPLETED") {
    throw new Error(`${server.name} answered ${status}: ${body.slice(0, 500)}`);
  }
  return task.id;
}

/** Counts blank lines between events without parsing them. */
function eventCounter(): { readonly events: number; add(text: string): void } {
  let events = 0;
  let last = "";
  return {
    get events() {
      return events;
    },
    add: (text) => {
      const all = last + text;
      for (let at = all.indexOf("\n\n"); at >= 0; at = all.indexOf("\n\n", at + 2)) events++;
      last = all.endsWith("\n\n") ? "" : all.slice(-1);
    },
  };
}
