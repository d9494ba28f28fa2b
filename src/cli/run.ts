import { CommanderError } from "commander";
import { CliFailure } from "./failure.js";
import type { Io } from "./io.js";
import { createProgram } from "./program.js";
import { reasonOf } from "./reason-of.js";
import { withProgress } from "./with-progress.js";

/**
 * Runs one command line (without `node` and the script) and returns the exit code: 0, 1 for a failure with a one-line
 * reason on `err`, 2 for wrong usage, 130 after Ctrl-C.
 */
export async function runCli(args: readonly string[], io: Io): Promise<number> {
  try {
    await createProgram(withProgress(io)).parseAsync([...args], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (io.signal.aborted) return 130;
    io.err(`a2a-typed: ${reasonOf(error)}\n`);
    return error instanceof CliFailure ? error.exitCode : 1;
  }
}
