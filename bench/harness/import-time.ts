import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Something that is imported first in a process. */
export interface ImportSubject {
  readonly name: string;
  readonly source: string;
  /** At most this many times an empty module. */
  readonly limit?: number;
}

/** An empty module, parts of this package and the official SDK. */
export const importSubjects: readonly ImportSubject[] = [
  { name: "empty module", source: "" },
  { name: ". + ./v1", source: `import "./index.js"; import "./v1/index.js";`, limit: 2.5 },
  { name: "./server", source: `import "./server.js";`, limit: 4 },
  { name: "./client", source: `import "./client.js";` },
  { name: "./node", source: `import "./node.js";` },
  { name: "official SDK, client", source: `import "@a2a-js/sdk/client";` },
  { name: "official SDK, server", source: `import "@a2a-js/sdk/server";` },
];

/** Writes a module that imports the subject into the folder of a bundle; returns its path. */
export function writeImport({ name, source }: ImportSubject, folder: string): string {
  const file = join(folder, `import-${name.replaceAll(/\W/g, "-")}.mjs`);
  writeFileSync(file, source);
  return file;
}

/** Milliseconds of an import in a fresh process. */
export function importTime(file: string): number {
  const script = `const t = performance.now(); await import(${JSON.stringify(pathToFileURL(file).href)}); process.stdout.write(String(performance.now() - t));`;
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  if (run.status !== 0) throw new Error(`import of ${file} failed: ${run.stderr}`);
  return Number(run.stdout);
}
