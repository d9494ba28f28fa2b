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
  /** Sees each piece of output when it is printed. */
  readonly onOut?: (text: string) => void;
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
    },
    stdin: async () => options.stdin ?? "",
    signal: options.signal ?? new AbortController().signal,
  });
  return { code, out, err };
}
