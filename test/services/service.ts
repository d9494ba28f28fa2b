import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** A real server that tests talk to and may hurt. */
export interface Service extends AsyncDisposable {
  /** Where it listens; the same after a restart. */
  readonly url: string;
  readonly port: number;
  /** Process id of what runs now. */
  readonly pid: number;
  /** Stops it in its own good time. */
  stop(): Promise<void>;
  /** `kill -9`, of all its processes. */
  kill(): Promise<void>;
  /** Starts it again, with the same data on the same port; resolves when it takes connections. */
  start(): Promise<void>;
  /** Stops it and removes its data. */
  dispose(): Promise<void>;
}

/** How a service is run. Both servers say that they are ready in the same words. */
export interface ServiceCommand {
  readonly url: string;
  readonly port: number;
  readonly command: string;
  readonly args: readonly string[];
  /** Runs it as this user. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  readonly stopSignal: NodeJS.Signals;
  /** Removes its data. */
  remove(): void;
}

const READY = /ready to accept connections/i;
const PATIENCE = 60_000;

/** Starts a server; resolves when it takes connections. */
export async function startService(setup: ServiceCommand): Promise<Service> {
  let child = await launch(setup);
  const leave = (): void => {
    for (const pid of family(child)) signal(pid, "SIGKILL");
    setup.remove();
  };
  process.once("exit", leave);

  const end = async (name: NodeJS.Signals, pids: readonly number[]): Promise<void> => {
    const gone = child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
    for (const pid of pids) signal(pid, name);
    await gone;
  };
  const stop = (): Promise<void> => end(setup.stopSignal, child.pid === undefined ? [] : [child.pid]);
  const dispose = async (): Promise<void> => {
    await stop();
    process.off("exit", leave);
    setup.remove();
  };
  return {
    url: setup.url,
    port: setup.port,
    get pid() {
      return child.pid ?? 0;
    },
    stop,
    async kill() {
      const pids = family(child);
      await end("SIGKILL", pids);
      // What the children hold (shared memory, the port) is free when they are gone.
      while (pids.some(runs)) await delay(5);
    },
    async start() {
      child = await launch(setup);
    },
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

async function launch({ command, args, user }: ServiceCommand): Promise<ChildProcess> {
  const child = spawn(command, args, {
    ...user,
    cwd: "/",
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], LC_ALL: "C" },
  });
  let said = "";
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      fail(`was not ready within ${String(PATIENCE)} ms`);
    }, PATIENCE);
    const fail = (why: string): void => {
      clearTimeout(timer);
      reject(new Error(`${command} ${why}:\n${said.slice(-2_000)}`));
    };
    const read = (chunk: Buffer): void => {
      if (said.length < 100_000) said += chunk.toString();
      if (!READY.test(said)) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("error", (error) => {
      fail(error.message);
    });
    child.once("exit", (code) => {
      fail(`ended with ${String(code)}`);
    });
  });
  return child;
}

/** A process and its children. */
function family({ pid, exitCode }: ChildProcess): number[] {
  if (pid === undefined || exitCode !== null) return [];
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => stat(id)?.parent === pid);
  return [pid, ...children];
}

const runs = (pid: number): boolean => {
  const state = stat(pid)?.state;
  return state !== undefined && state !== "Z";
};

function stat(pid: number): { readonly state: string; readonly parent: number } | undefined {
  try {
    const text = readFileSync(`/proc/${String(pid)}/stat`, "latin1");
    const [state = "", parent] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone already.
  }
}
