import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { once } from "node:events";

const running = new Set<ChildProcess>();

/** Starts a program that ends with this process, however that ends. */
export function startChild(command: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const [file = "", ...args] = command;
  const child = spawn(file, args, { stdio: ["pipe", "pipe", "pipe"], ...options });
  running.add(child);
  child.once("close", () => running.delete(child));
  // Without a listener a program that cannot be started would end this one.
  child.once("error", () => running.delete(child));
  return child;
}

/** Ends a program that was started here and waits until it is gone. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return;
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
}

const stopAll = (): void => {
  for (const child of running) child.kill("SIGKILL");
};

process.on("exit", stopAll);
for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)
  process.on(signal, () => process.exit(code));
