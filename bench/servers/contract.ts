import { readFileSync } from "node:fs";
import type { AddressInfo, Server } from "node:net";

/**
 * What every server under test does. It listens on 127.0.0.1 at a free port, serves JSON-RPC at `rpcPath` and HTTP+JSON below
 * `restPath`, and answers the text of a message: `stream:N` with a task, N appended chunks of one artifact and the end;
 * `stream:N:distinct` with N artifacts instead; `talk` with a task that goes on, and says something whenever the bench asks it
 * to; anything else with a finished task that holds one echo artifact.
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

/** What the text of a message asks for. */
export interface Asked {
  /** Chunks or artifacts; 0 for a plain message. */
  readonly count: number;
  readonly distinct: boolean;
  /** True where the task is to go on. */
  readonly talk: boolean;
}

/** Reads the text of a message. */
export const askedBy = (text: string): Asked => {
  const [, count = "0", distinct] = /^stream:(\d+)(:distinct)?$/.exec(text) ?? [];
  return { count: Number(count), distinct: distinct !== undefined, talk: text === "talk" };
};

/** The n-th token, the same from every server. */
export const tokenOf = (n: number): string => `token number ${n}`;

/** Lets the socket drain after so many tokens, as a token source would. */
export const breath = (n: number, together = 16): Promise<void> | undefined =>
  n % together === together - 1 ? new Promise((resolve) => setImmediate(resolve)) : undefined;

/** Says so many tokens in the task that goes on, and takes breath after each `together` of them. */
export type Talk = (tokens: number, together: number) => Promise<void>;

/** Questions of the bench: CPU and memory, the heap after a collection; or say so many tokens. */
export type BenchQuestion = "usage" | "heap" | { readonly say: number; readonly together: number };

/** Tells the bench where the server listens and answers its questions. */
export function announce(ready: ServerReady, talk?: Talk): void {
  process.on("message", (question: BenchQuestion) => {
    if (question === "usage") process.send?.(usage());
    else if (question === "heap") process.send?.(heapInUse());
    else void talk?.(question.say, question.together).then(() => process.send?.("said"));
  });
  process.on("disconnect", () => process.exit(0));
  process.send?.(ready);
}

function usage(): ServerUsage {
  const cpu = process.cpuUsage();
  return { cpu: cpu.user + cpu.system, rss: process.memoryUsage.rss(), written: written() };
}

/** Bytes of the heap that are in use after a collection; needs `--expose-gc`. */
function heapInUse(): number {
  for (let n = 0; n < 3; n++) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
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
