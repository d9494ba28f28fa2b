import type { ClientArgs, StepLine } from "./contract.js";
import { startChild, stopChild } from "./children.js";
import { readLines } from "./read-lines.js";
import { tailOf } from "./tail.js";

/** What a client program said of a step, and how long that took. */
export type TimedLine = StepLine & { readonly ms: number };

const stepMs = 30_000;

/** Runs a client program; steps of which it says nothing (it ended, or took too long) have failed. */
export async function runClient(command: readonly string[], args: ClientArgs): Promise<TimedLine[]> {
  const { steps, ...options } = args;
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const child = startChild([...command, ...flags, "--steps", steps.join()]);
  const errors = tailOf(child.stderr);
  const said: TimedLine[] = [];
  let late = false;
  let since = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const watch = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      late = true;
      void stopChild(child);
    }, stepMs);
  };
  watch();
  child.stdin?.end();
  if (child.stdout)
    for await (const line of readLines(child.stdout, () => undefined)) {
      const now = performance.now();
      said.push({ ...(line as StepLine), ms: Math.round(now - since) });
      since = now;
      watch();
    }
  clearTimeout(timer);
  await stopChild(child);
  const why = late ? `no answer within ${stepMs / 1000} s` : "the client program ended early";
  const heard = new Set(said.map(({ step }) => step));
  const missing = steps.filter((step) => !heard.has(step));
  return [
    ...said,
    ...missing.map((step, n) => ({
      step,
      failed: n === 0 ? `${why}\n${errors()}`.trim() : `not reached: ${why} at "${missing[0]}"`,
      ms: 0,
    })),
  ];
}
