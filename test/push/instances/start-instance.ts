import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { PushOptions } from "../../../src/server.js";
import { callerOf, type Host } from "../../rules/support.js";
import { bundled } from "./bundled.js";

/** Where the tasks of an instance are. */
export type Place = { readonly path: string } | { readonly url: string; readonly schema: string };

/** What an instance is told. */
export interface InstanceSetup {
  readonly place: Place;
  readonly push: PushOptions;
}

export interface Instance {
  readonly caller: Pick<Host, "ok" | "call">;
  /** Ends it at once; resolves when it is gone. */
  kill(): Promise<void>;
}

const running = new Set<ChildProcess>();

/** Starts a server as a process of its own. */
export async function startInstance(setup: InstanceSetup): Promise<Instance> {
  const child = spawn(process.execPath, [await bundled("instance"), JSON.stringify(setup)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.add(child);
  const [line] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  return {
    caller: callerOf(line.trim(), "JSONRPC"),
    async kill() {
      running.delete(child);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, "close");
      child.kill("SIGKILL");
      await closed;
    },
  };
}

/** Kills what still runs. */
export function killInstances(): void {
  for (const child of running) child.kill("SIGKILL");
  running.clear();
}
