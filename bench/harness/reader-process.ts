import { fork } from "node:child_process";
import { once } from "node:events";
import type { ReadSample } from "../servers/reader.js";
import { bundleOf } from "./build-servers.js";

/** A client in a process of its own. */
export interface ReaderProcess {
  /** Reads the stream once. */
  read(): Promise<ReadSample>;
  stop(): void;
}

/** Starts a client of a name that `servers/reader.ts` knows; it reads what is at the URL. */
export async function startReader(name: string, url: string): Promise<ReaderProcess> {
  const child = fork(bundleOf("reader"), {
    env: { ...process.env, READER: name, RECORDED_AT: url, NODE_ENV: "production" },
    execArgv: [],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  child.once("exit", (code) => {
    if (code !== 0 && code !== null) throw new Error(`reader ${name} ended with code ${String(code)}`);
  });
  await once(child, "message");
  return {
    read: async () => {
      const answer = once(child, "message");
      child.send("read");
      return ((await answer) as [ReadSample])[0];
    },
    stop: () => child.disconnect(),
  };
}
