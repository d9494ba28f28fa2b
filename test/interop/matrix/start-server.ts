import type { ServerLine } from "./contract.js";
import { startChild, stopChild } from "./children.js";
import { readLines } from "./read-lines.js";
import { tailOf } from "./tail.js";

/** A server program that answers. */
export interface RunningServer extends ServerLine {
  stop(): Promise<void>;
  /** The last lines of what it printed as errors. */
  errors(): string;
}

const startMs = 30_000;
const pollMs = 50;

/** Starts a server program and waits until its card can be fetched; fails with what the program said. */
export async function startServer(command: readonly string[]): Promise<RunningServer> {
  const child = startChild(command);
  const errors = tailOf(child.stderr);
  const stop = (): Promise<void> => stopChild(child);
  const deadline = AbortSignal.timeout(startMs);
  try {
    const line = await Promise.race([firstLine(child.stdout), rejected(deadline)]);
    await answering(`${line.url}/.well-known/agent-card.json`, deadline);
    return { ...line, stop, errors };
  } catch (error) {
    await stop();
    throw new Error(`the server did not start: ${(error as Error).message}\n${errors()}`.trim(), {
      cause: error,
    });
  }
}

async function firstLine(stdout: NonNullable<Parameters<typeof readLines>[0]> | null): Promise<ServerLine> {
  if (stdout) {
    const lines = readLines(stdout, () => undefined);
    const { value } = await lines.next();
    if (value !== undefined) {
      // What it prints later must be read, or it would wait for a reader.
      stdout.resume();
      return value as ServerLine;
    }
  }
  throw new Error("it ended without a word");
}

/** Asks again and again until there is an answer: programs may say their address before they listen. */
async function answering(url: string, deadline: AbortSignal): Promise<void> {
  for (;;) {
    const response = await fetch(url, { signal: deadline }).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return;
    if (deadline.aborted) throw new Error(`no card at ${url} (${response?.status ?? "no answer"})`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

const rejected = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error(`nothing was heard for ${startMs / 1000} s`)));
  });
