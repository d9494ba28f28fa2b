import { fork } from "node:child_process";
import { once } from "node:events";
import type { Settings } from "./processes/settings.js";

/** A process of the agent. */
export interface Instance {
  readonly url: string;
  readonly settings: Settings;
  /** It was not killed, and does not stand still. */
  readonly isUp: boolean;
  /** `kill -9`; resolves when it is gone. */
  kill(): Promise<void>;
  /** Stops it where it is, as a machine that sleeps. */
  stall(): void;
  /** Lets it go on. */
  wake(): void;
  /** Bytes of its heap, after a collection. */
  heap(): Promise<number>;
}

/** Starts one; resolves when it listens. */
export async function startInstance(file: string, settings: Settings): Promise<Instance> {
  const child = fork(file, [JSON.stringify(settings)], {
    execArgv: ["--expose-gc"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  let isGone = false;
  let isStalled = false;
  const gone = once(child, "exit").then(() => {
    isGone = true;
  });
  const next = async (): Promise<unknown> => {
    const [said] = (await Promise.race([
      once(child, "message"),
      gone.then(() => Promise.reject(new Error("an instance ended by itself"))),
    ])) as unknown[];
    return said;
  };
  const url = String(await next());
  return {
    url,
    settings,
    get isUp() {
      return !isGone && !isStalled;
    },
    async kill() {
      isStalled = false;
      child.kill("SIGKILL");
      await gone;
    },
    stall() {
      isStalled = true;
      child.kill("SIGSTOP");
    },
    wake() {
      isStalled = false;
      child.kill("SIGCONT");
    },
    async heap() {
      const said = next();
      child.send("heap");
      return Number(await said);
    },
  };
}
