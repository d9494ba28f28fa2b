import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";

/** What a server process is asked. */
export type ServerAsk =
  { readonly ask: "heap" } | { readonly ask: "emit"; readonly events: number; readonly size: number };

/** What the process of the subscribers is asked. */
export type ClientAsk =
  | { readonly ask: "open"; readonly count: number; readonly port: number; readonly request: string }
  | { readonly ask: "seen"; readonly events: number }
  | { readonly ask: "close" };

/** A process of the test that answers one question after the other. */
export interface Peer extends AsyncDisposable {
  ask(question: ServerAsk | ClientAsk): Promise<number>;
  /** The next thing that it says by itself: a server its port, the subscribers their number when all have an event. */
  next(): Promise<number>;
}

/** Starts a process with the collector at hand. */
export function startPeer(file: string): Peer {
  const child = fork(file, [], { execArgv: ["--expose-gc"] });
  const ended = gone(child, file);
  // Only whoever waits for an answer hears of it.
  ended.catch(() => undefined);
  const next = async (): Promise<number> => {
    const [value] = (await Promise.race([once(child, "message"), ended])) as [number];
    return value;
  };
  return {
    next,
    ask(question) {
      const answer = next();
      child.send(question);
      return answer;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      child.kill();
      await once(child, "exit");
    },
  };
}

async function gone(child: ChildProcess, file: string): Promise<never> {
  const [code] = (await once(child, "exit")) as [number | null];
  throw new Error(`${file} ended with ${String(code)}`);
}

/** Answers the questions of the parent process. */
export function answer<Q extends ServerAsk | ClientAsk>(on: (question: Q) => number | Promise<number>): void {
  process.on("message", (question: Q) => {
    void Promise.resolve(on(question)).then((value) => process.send?.(value));
  });
  process.on("disconnect", () => process.exit());
}

/** Bytes that are in use after a collection: of objects, and of what they hold outside the heap. */
export async function heapInUse(): Promise<number> {
  if (globalThis.gc === undefined) throw new Error("needs --expose-gc");
  for (let n = 0; n < 4; n++) {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
