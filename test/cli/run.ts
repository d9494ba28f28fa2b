import { runCli } from "../../src/cli/run.js";

/** What one command line did. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Options of `run`. */
export interface RunOptions {
  readonly stdin?: string;
  readonly signal?: AbortSignal;
  /** Standard input line by line; by default those of `stdin`. */
  readonly lines?: AsyncIterator<string, unknown, undefined>;
  /** Gets what a Ctrl-C does; it says whether somebody took it. */
  readonly onInterruptible?: (interrupt: () => boolean) => void;
  /** Standard error is a terminal. */
  readonly tty?: boolean;
  /** Sees each piece of output when it is printed. */
  readonly onOut?: (text: string) => void;
  /** The same for what goes to standard error. */
  readonly onErr?: (text: string) => void;
}

/** Runs a command line in this process. */
export async function run(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  let out = "";
  let err = "";
  const code = await runCli(args, {
    out: (text) => {
      out += text;
      options.onOut?.(text);
    },
    err: (text) => {
      err += text;
      options.onErr?.(text);
    },
    stdin: async () => options.stdin ?? "",
    lines: () => options.lines ?? linesOf(options.stdin ?? ""),
    onInterrupt: (listener) => {
      options.onInterruptible?.(listener);
      return () => {};
    },
    signal: options.signal ?? new AbortController().signal,
    tty: options.tty ?? false,
  });
  return { code, out, err };
}

async function* linesOf(text: string): AsyncGenerator<string, undefined> {
  yield* text.split("\n").slice(0, -1);
  return undefined;
}
