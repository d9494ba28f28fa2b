import { fork, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BenchQuestion, ServerReady, ServerUsage } from "../servers/contract.js";
import { bundleOf, type ProgramName } from "./build-servers.js";

/**
 * A server under test: bare `node:http`; this library in memory, with a SQLite file, behind the web adapter, and as it was
 * when its bundle was kept; the official SDK. `recorded` answers with a stream of a file.
 */
export type ServerName = "raw" | "ours" | "sqlite" | "web" | "before" | "official" | "recorded";

/** A server in a process of its own. */
export interface ServerProcess extends ServerReady {
  readonly name: ServerName;
  usage(): Promise<ServerUsage>;
  /** Bytes of the heap in use after a collection; needs the flag `--expose-gc`. */
  heap(): Promise<number>;
  /** Lets the task that goes on say so many tokens, some together. */
  say(tokens: number, together: number): Promise<void>;
  stop(): Promise<void>;
}

/** What a server process gets besides its defaults. */
export interface ServerSetup {
  /** Flags of Node.js. */
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const programs: Readonly<Record<ServerName, ProgramName>> = {
  raw: "raw",
  ours: "ours",
  sqlite: "ours",
  web: "ours",
  before: "before",
  official: "official",
  recorded: "recorded",
};

/** The program that a server runs. */
export const programOf = (name: ServerName): ProgramName => programs[name];

/** Starts a server and waits until it listens. */
export async function startServer(
  name: ServerName,
  { flags = [], env = {} }: ServerSetup = {},
): Promise<ServerProcess> {
  const folder = name === "sqlite" ? mkdtempSync(join(tmpdir(), "a2a-bench-")) : undefined;
  const child = fork(bundleOf(programOf(name)), {
    execArgv: [...flags],
    env: { ...process.env, ...env, ...setupOf(name, folder), NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ask = <T>(question: BenchQuestion): Promise<T> => {
    const answer = nextMessage<T>(child, name);
    child.send(question);
    return answer;
  };
  const ready = await nextMessage<ServerReady>(child, name);
  return {
    ...ready,
    name,
    usage: () => ask("usage"),
    heap: () => ask("heap"),
    say: async (tokens, together) => {
      await ask({ say: tokens, together });
    },
    stop: async () => {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.disconnect();
      await gone;
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

const setupOf = (name: ServerName, folder: string | undefined): Record<string, string> => {
  if (name === "web") return { BENCH_HOST: "fetch" };
  return folder === undefined ? {} : { BENCH_STORE: `sqlite:${join(folder, "tasks.db")}` };
};

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
