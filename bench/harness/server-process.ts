import { fork, type ChildProcess } from "node:child_process";
import type { ServerReady, ServerUsage } from "../servers/contract.js";
import { bundleOf, type ProgramName, type ServerName } from "./build-servers.js";

/** A server in a process of its own. */
export interface ServerProcess<N extends ProgramName = ServerName> extends ServerReady {
  readonly name: N;
  usage(): Promise<ServerUsage>;
  stop(): Promise<void>;
}

/** What a server process gets besides its defaults. */
export interface ServerSetup {
  /** Flags of Node.js. */
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a server and waits until it listens. */
export async function startServer<N extends ProgramName>(
  name: N,
  { flags = [], env = {} }: ServerSetup = {},
): Promise<ServerProcess<N>> {
  const child = fork(bundleOf(name), {
    execArgv: [...flags],
    env: { ...process.env, ...env, NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ready = await nextMessage<ServerReady>(child, name);
  return {
    ...ready,
    name,
    usage: async () => {
      const answer = nextMessage<ServerUsage>(child, name);
      child.send("usage");
      return answer;
    },
    stop: async () => {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.disconnect();
      await gone;
    },
  };
}

const nextMessage = <T>(child: ChildProcess, name: string): Promise<T> =>
  new Promise((resolve, reject) => {
    const onExit = (code: number | null): void =>
      reject(new Error(`server ${name} ended with code ${String(code)}`));
    child.once("exit", onExit);
    child.once("message", (message) => {
      child.off("exit", onExit);
      resolve(message as T);
    });
  });
