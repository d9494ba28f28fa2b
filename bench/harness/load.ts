import autocannon, { type Result } from "autocannon";
import type { Slice } from "./bench-case.js";
import type { BenchRequest } from "./requests.js";
import type { ServerProcess } from "./server-process.js";

/** Milliseconds after which autocannon looks whether it is done. */
const LOOK = 10;

/** Sends one request again and again; any answer but 2xx fails the run. */
export async function repeat(
  server: ServerProcess,
  { method, path, headers, body }: BenchRequest,
  load: { readonly connections: number; readonly amount?: number; readonly duration?: number },
): Promise<Result> {
  const url = `http://127.0.0.1:${String(server.port)}${path}`;
  const options = { url, method, headers, sampleInt: LOOK, ...load };
  const result = await autocannon({ ...options, ...(body !== undefined && { body }) });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(
      `${server.name} ${path}: ${String(result.non2xx)} bad answers, ${String(result.errors)} errors`,
    );
  }
  return result;
}

/** Server CPU of one request, in µs, over `amount` of them. */
export async function measureLoad(
  server: ServerProcess,
  sent: BenchRequest,
  connections: number,
  amount: number,
): Promise<Slice> {
  const before = await server.usage();
  const start = performance.now();
  const { requests, latency } = await repeat(server, sent, { connections, amount });
  const elapsed = performance.now() - start;
  const after = await server.usage();
  return {
    cost: (after.cpu - before.cpu) / requests.total,
    rate: (requests.total / elapsed) * 1000,
    latency: latency.p99,
  };
}
