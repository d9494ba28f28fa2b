import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { command } from "../interop/matrix/command.js";

/** One package of a runtime for this machine: a binary that needs no install script. */
export interface RuntimePackage {
  readonly name: string;
  readonly version: string;
  /** Path of the binary in the package. */
  readonly binary: string;
}

/** Where runtimes are kept between runs: `A2A_RUNTIMES_CACHE`, else a folder of the user's cache. */
export function cacheFolder(): string {
  const caches = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  return process.env["A2A_RUNTIMES_CACHE"] ?? join(caches, "a2a-typed-runtimes");
}

/** Path of the binary, installed unless it is there; fails with `CommandFailed` where the registry does not give it. */
export async function install({ name, version, binary }: RuntimePackage): Promise<string> {
  const folder = join(cacheFolder(), `${name.replace(/^@|\//g, "-").replace(/^-/, "")}-${version}`);
  const file = join(folder, "node_modules", name, binary);
  const done = join(folder, "installed");
  if (existsSync(done) && existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  await command(
    ["npm", "install", "--prefix", folder, "--no-save", "--no-package-lock", "--ignore-scripts"].concat(
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
      `${name}@${version}`,
    ),
    { timeoutMs: 100_000 },
  );
  // A half-written package of a run that was cut is installed again.
  writeFileSync(done, "");
  return file;
}
