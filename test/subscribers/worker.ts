import { fork } from "node:child_process";
import { once } from "node:events";

interface Question {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}

/** A program of this folder in a process of its own, which answers questions. */
export interface Worker extends AsyncDisposable {
  ask(name: string, argument?: unknown): Promise<number>;
}

/** Starts a built program; it can collect its garbage when asked to. */
export function startWorker(file: string): Worker {
  const child = fork(file, { execArgv: ["--expose-gc"] });
  const waiting = new Map<number, { resolve(value: number): void; reject(error: Error): void }>();
  child.on("message", ({ id, value }: { id: number; value: number }) => {
    waiting.get(id)?.resolve(value);
    waiting.delete(id);
  });
  const gone = once(child, "exit");
  void gone.then(() => {
    for (const { reject } of waiting.values()) reject(new Error(`${file} ended`));
  });
  let last = 0;
  return {
    ask: (name, argument) =>
      new Promise((resolve, reject) => {
        last += 1;
        waiting.set(last, { resolve, reject });
        child.send({ id: last, name, argument } satisfies Question);
      }),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await gone;
    },
  };
}

/** Answers the questions of the process that started this one. */
export function answer(
  answers: Readonly<Record<string, (argument: never) => number | Promise<number>>>,
): void {
  process.on("message", ({ id, name, argument }: Question) => {
    void (async () => {
      const value = await answers[name]?.(argument as never);
      process.send?.({ id, value });
    })();
  });
  process.on("disconnect", () => process.exit());
}

/** Bytes of `heapUsed` and `external` when nothing is left to collect. */
export async function heapNow(): Promise<number> {
  let last = Infinity;
  for (let round = 0; round < 20; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
    const { heapUsed, external } = process.memoryUsage();
    if (Math.abs(last - heapUsed - external) < 10_000) return heapUsed + external;
    last = heapUsed + external;
  }
  return last;
}
