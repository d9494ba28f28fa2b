import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { build } from "esbuild";

/** Name of a program that runs in a process of its own. */
export type ProgramName = "raw" | "ours" | "official" | "before" | "recorded" | "reader" | "crowd";

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, Record<string, string>>;
const dependencies = Object.keys({ ...manifest["dependencies"], ...manifest["devDependencies"] });

/** Folder of the bundles: inside the package, so that dependencies resolve, and of this process, so that runs do not meet. */
const outdir = `.cache/bench/${String(process.pid)}`;
const BEFORE = `${outdir}/before`;

/**
 * Bundles the servers as the package itself is bundled: our sources into files that share chunks, dependencies left outside.
 * What runs is the code of the working tree, never an older build; it is gone when this process ends.
 */
export async function buildServers(names: readonly ProgramName[]): Promise<void> {
  forgetDead();
  process.once("exit", () => rmSync(outdir, { recursive: true, force: true }));
  await build({
    entryPoints: names.filter((name) => name !== "before").map((name) => `bench/servers/${name}.ts`),
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    tsconfig: "tsconfig.json",
    logLevel: "warning",
    external: dependencies,
  });
}

/** Keeps what was built in a folder, to be compared with later code. */
export function saveServers(folder: string): void {
  mkdirSync(folder, { recursive: true });
  cpSync(outdir, folder, { recursive: true });
}

/** Takes what `saveServers` has kept: our server of then runs as `before`. */
export function loadBefore(folder: string): void {
  cpSync(folder, BEFORE, { recursive: true });
}

/** Where the bundle of a program lies. */
export const bundleOf = (name: ProgramName): string =>
  name === "before" ? `${BEFORE}/ours.mjs` : `${outdir}/${name}.mjs`;

/** Removes what processes left that were killed. */
function forgetDead(): void {
  mkdirSync(".cache/bench", { recursive: true });
  for (const name of readdirSync(".cache/bench")) {
    if (!isAlive(Number(name))) rmSync(`.cache/bench/${name}`, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
