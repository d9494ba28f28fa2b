import { startChild } from "./children.js";
import { tailOf } from "./tail.js";
import { once } from "node:events";

/** A command that failed: what it said last. */
export class CommandFailed extends Error {}

/** Runs a command to its end; fails with what it printed last. */
export async function command(
  line: readonly string[],
  { cwd, env, timeoutMs = 240_000 }: { cwd?: string; env?: Record<string, string>; timeoutMs?: number } = {},
): Promise<void> {
  const child = startChild(line, {
    stdio: ["ignore", "pipe", "pipe"],
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...process.env, ...env },
  });
  const said = tailOf(child.stdout, 3);
  const errors = tailOf(child.stderr, 3);
  const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
  try {
    const [code] = (await once(child, "close")) as [number | null];
    if (code === 0) return;
    const why =
      code === null ? `no end within ${timeoutMs / 1000} s` : errors() || said() || `exit code ${code}`;
    throw new CommandFailed(`${line.slice(0, 3).join(" ")}: ${why}`);
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    // The program itself is not there.
    throw new CommandFailed(`${line[0]}: ${(error as Error).message}`);
  } finally {
    clearTimeout(timer);
  }
}
