import { CommanderError } from "commander";
import { isA2AError } from "../errors.js";
import { CliFailure } from "./failure.js";
import type { Io } from "./io.js";
import { createProgram } from "./program.js";

/**
 * Runs one command line (without `node` and the script) and returns the exit code: 0, 1 for a failure with a one-line
 * reason on `err`, 2 for wrong usage, 130 after Ctrl-C.
 */
export async function runCli(args: readonly string[], io: Io): Promise<number> {
  try {
    await createProgram(io).parseAsync([...args], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (io.signal.aborted) return 130;
    io.err(`a2a-typed: ${reasonOf(error)}\n`);
    return error instanceof CliFailure ? error.exitCode : 1;
  }
}

const reasonOf = (error: unknown): string => {
  const text = isA2AError(error)
    ? `${error.reason}: ${error.message}`
    : error instanceof Error
      ? error.message
      : String(error);
  return text.replaceAll(/\s*\n\s*/g, "; ");
};
