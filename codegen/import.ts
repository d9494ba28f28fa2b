import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Command } from "commander";
import { readBundle } from "./load/dialects/index.js";
import { InputFault } from "./load/fault.js";
import { lineOf } from "./load/lines.js";
import { schemasRoot } from "./load/load-line.js";
import { parseManifest, withEntry, type ManifestEntry } from "./load/manifest.js";
import { parseProto } from "./load/proto.js";
import { readSource, type Source } from "./load/source.js";
import { stableJson } from "./load/stable-json.js";
import { upstreamOf } from "./load/upstream.js";

/** What one import reads and where it writes. */
export interface ImportOptions {
  /** Path or http(s) URL of the official `a2a.json`. */
  readonly json: string;
  /** Path or http(s) URL of the official `a2a.proto`. */
  readonly proto?: string;
  /** Where the `a2a.json` was published, for the manifest. */
  readonly url?: string;
  /** The `schemas` folder. */
  readonly root?: string;
  /** Only check the files and record them in the manifest: no line is written. */
  readonly manifestOnly?: boolean;
}

/**
 * Imports an official release: `schemas/<line>/a2a.json`, `proto.json` and the manifest entry. Everything is read,
 * checked and written beside its place first; a failure leaves the folder as it was.
 */
export async function importRelease(release: string, options: ImportOptions): Promise<readonly string[]> {
  if (!/^\d+\.\d+\.\d+$/.test(release))
    throw new InputFault("is not a release", release, "write it as 1.0.1");
  const root = options.root ?? schemasRoot;
  const json = await readSource(options.json);
  const proto = options.proto === undefined ? undefined : await readSource(options.proto);
  const facts = proto === undefined ? undefined : parseProto(proto.text, options.proto);
  const schema = readBundle(json.text, release, facts, options.json);
  const manifestPath = join(root, "manifest.json");
  const manifest = parseManifest(await readIfThere(manifestPath, "{}"));
  const line = lineOf(release);
  const entry = manifestEntry(release, json, proto, options);
  const files = new Map<string, string>();
  if (options.manifestOnly !== true) {
    files.set(join(root, line, "a2a.json"), stableJson(schema));
    if (facts !== undefined) files.set(join(root, line, "proto.json"), stableJson(facts));
  }
  files.set(manifestPath, stableJson(withEntry(manifest, release, entry)));
  await writeAll(files);
  return [...files.keys()];
}

function manifestEntry(
  release: string,
  json: Source,
  proto: Source | undefined,
  options: ImportOptions,
): ManifestEntry {
  const upstream = upstreamOf(release);
  const jsonAt = options.url === undefined ? upstream.json : { ...upstream.json, url: options.url };
  return {
    tag: `v${release}`,
    ...(options.manifestOnly === true ? {} : { line: lineOf(release) }),
    status: options.manifestOnly === true ? "imported in tests" : "supported",
    json: { ...jsonAt, sha256: json.sha256, bytes: json.bytes },
    ...(proto === undefined
      ? {}
      : { proto: { ...upstream.proto, sha256: proto.sha256, bytes: proto.bytes } }),
  };
}

async function readIfThere<T>(path: string, otherwise: T): Promise<string | T> {
  return readFile(path, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return otherwise;
    throw error;
  });
}

/** All files or none: written under temporary names, then moved; what was moved is put back when a later move fails. */
async function writeAll(files: ReadonlyMap<string, string>): Promise<void> {
  const staged = [...files].map(([path, text]) => ({ path, text, temporary: `${path}.new` }));
  const undo: (() => Promise<void>)[] = [];
  try {
    for (const { path, text, temporary } of staged) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(temporary, text);
    }
    for (const { path, temporary } of staged) {
      const before = await readIfThere(path, undefined);
      await rename(temporary, path);
      undo.unshift(() => (before === undefined ? rm(path) : writeFile(path, before)));
    }
  } catch (error) {
    for (const putBack of undo) await putBack();
    throw error;
  } finally {
    for (const { temporary } of staged) await rm(temporary, { force: true });
  }
}

async function main(argv: readonly string[]): Promise<void> {
  const program = new Command("schemas:import")
    .description("Import an official a2a.json (and a2a.proto) as canonical structure under schemas/.")
    .argument("<version>", "release, as in 1.0.1")
    .requiredOption("--json <path|url>", "official a2a.json")
    .option("--proto <path|url>", "official a2a.proto")
    .option("--url <url>", "where the a2a.json was published, for the manifest")
    .option("--root <dir>", "schemas folder", schemasRoot)
    .option("--manifest-only", "check the files and record their digests, write no line");
  program.action(async (release: string, options: ImportOptions) => {
    for (const path of await importRelease(release, options)) process.stdout.write(`wrote ${path}\n`);
  });
  await program.parseAsync([...argv], { from: "user" });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(process.argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(`schemas:import: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}
