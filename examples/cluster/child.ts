import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";

/** What a server is started as. */
export interface Command {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The user that runs it, where it is not ours. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /** Prints what it prints. Default false. */
  readonly echo?: boolean;
  /** What ends it; default SIGTERM. */
  readonly signal?: NodeJS.Signals;
}

/** A process that was started here. */
export interface Child {
  readonly name: string;
  readonly pid: number;
  /** Resolves with the first match in what it prints; rejects where it ends without one. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves when it is gone, with the signal or the code of its end. */
  readonly gone: Promise<string>;
  /** Ends it, by force after `patienceMs`. */
  stop(patienceMs?: number): Promise<void>;
  /** Ends it at once. */
  kill(): void;
}

/** Those that run, in the order in which they were started. */
export const running = new Set<Child>();

/** Starts a process. Rejects where there is no such command. */
export async function startChild({ name, command, args, env, user, echo, signal }: Command): Promise<Child> {
  const child = spawn(command, args, {
    ...user,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
    // Ctrl-C goes to a whole group of processes; these are to end one after the other.
    detached: true,
  });
  const watched = watch(child, name, echo ?? false);
  await once(child, "spawn");
  const { pid = 0 } = child;
  const gone = once(child, "exit").then(([code, by]) => String(by ?? code));
  const end = (by: NodeJS.Signals): void => void child.kill(by);
  const started: Child = {
    name,
    pid,
    gone,
    printed: (pattern) => watched(pattern, gone),
    kill: () => end("SIGKILL"),
    async stop(patienceMs = 5_000) {
      end(signal ?? "SIGTERM");
      const force = setTimeout(end, patienceMs, "SIGKILL");
      await gone;
      clearTimeout(force);
    },
  };
  running.add(started);
  void gone.then(() => running.delete(started));
  return started;
}

/** Keeps the beginning of what a process prints, for those who wait for a word of it. */
function watch(
  child: ChildProcess,
  name: string,
  echo: boolean,
): (pattern: RegExp, gone: Promise<string>) => Promise<RegExpExecArray> {
  let text = "";
  const looks = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      if (echo) process.stdout.write(chunk.replaceAll(/^(?=.)/gm, `${name}: `));
      if (text.length < 100_000) text += chunk;
      for (const look of looks) look();
    });
  }
  return (pattern, gone) =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const match = pattern.exec(text);
        if (match === null) return;
        looks.delete(look);
        resolve(match);
      };
      looks.add(look);
      look();
      void gone.then((how) => reject(new Error(`${name} ended (${how}):\n${text.slice(-2_000)}`)));
    });
}
