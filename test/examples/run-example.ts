import { spawn } from "node:child_process";
import { once } from "node:events";

const root = new URL("../..", import.meta.url).pathname;
const tsx = new URL("../../node_modules/tsx/dist/cli.mjs", import.meta.url).pathname;

/** A running example. */
export interface RunningExample extends AsyncDisposable {
  /** What it has printed so far. */
  output(): string;
  /** Resolves with the first match in its output; rejects where it ends without one. */
  printed(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Resolves with its exit code. */
  readonly exit: Promise<number | null>;
}

/**
 * Starts an example of `examples/` in a process of its own, on any free port unless one is named; disposing it ends that
 * process. `swap` names packages that it gets instead of those that it imports.
 */
export function runExample(
  file: string,
  args: readonly string[] = [],
  port = 0,
  swap: Readonly<Record<string, string>> = {},
): RunningExample {
  const child = spawn(process.execPath, [tsx, ...swapped(swap), `examples/${file}`, ...args], {
    cwd: root,
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      for (const listener of listeners) listener();
    });
  }
  const exit = once(child, "close").then(([code]) => code as number | null);
  return {
    output: () => text,
    exit,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(text);
          if (!match) return;
          listeners.delete(look);
          resolve(match);
        };
        listeners.add(look);
        look();
        void exit.then((code) => reject(new Error(`${file} ended (${code}) without ${pattern}:\n${text}`)));
      }),
    async [Symbol.asyncDispose]() {
      child.kill();
      await exit;
    },
  };
}

/** Arguments of node that let imports of one package resolve to another. */
function swapped(swap: Readonly<Record<string, string>>): string[] {
  if (Object.keys(swap).length === 0) return [];
  const script = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
  const names = JSON.stringify(swap);
  const hook = script(
    `export const resolve = (name, context, next) => next(${names}[name] ?? name, context);`,
  );
  return ["--import", script(`import { register } from "node:module"; register(${JSON.stringify(hook)});`)];
}
