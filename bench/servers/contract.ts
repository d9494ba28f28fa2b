import { readFileSync } from "node:fs";
import type { AddressInfo, Server } from "node:net";

/**
 * What every server under test does. It listens on 127.0.0.1 at a free port, serves JSON-RPC at `rpcPath` and HTTP+JSON below
 * `restPath`, and answers the text of a message: `stream:N` with a task, N appended chunks of one artifact and the end;
 * anything else with a finished task that holds one echo artifact.
 */
export interface ServerReady {
  readonly port: number;
  readonly rpcPath: string;
  readonly restPath: string;
}

/** What the server process has used so far. */
export interface ServerUsage {
  /** CPU time in µs, user and system. */
  readonly cpu: number;
  /** Resident memory in bytes. */
  readonly rss: number;
  /** Bytes written so far, to files and sockets; 0 where the system does not tell. */
  readonly written: number;
}

/** Number of chunks asked for, 0 for a plain message. */
export const chunksOf = (text: string): number => Number(/^stream:(\d+)/.exec(text)?.[1] ?? 0);

/** The n-th token, the same from every server. */
export const tokenOf = (n: number): string => `token number ${n}`;

/** Lets the socket drain now and then, as a token source would. */
export const breath = (n: number): Promise<void> | undefined =>
  n % 16 === 15 ? new Promise((resolve) => setImmediate(resolve)) : undefined;

/** Tells the bench where the server listens and answers its questions about usage. */
export function announce(ready: ServerReady): void {
  process.on("message", (message) => {
    if (message !== "usage") return;
    const cpu = process.cpuUsage();
    process.send?.({ cpu: cpu.user + cpu.system, rss: process.memoryUsage.rss(), written: written() });
  });
  process.on("disconnect", () => process.exit(0));
  process.send?.(ready);
}

function written(): number {
  try {
    return Number(/wchar: (\d+)/.exec(readFileSync("/proc/self/io", "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Port of a listening server. */
export const portOf = (server: Server): number => (server.address() as AddressInfo).port;
