import { z } from "zod";
import { InputFault } from "./fault.js";
import { parseJson } from "./parse-json.js";
import { byName } from "./stable-json.js";

const file = z.strictObject({
  /** Where the file was published. */
  url: z.string(),
  /** How it came to be, where that is not "a file of the tagged tree". */
  note: z.string().optional(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.number().int().positive(),
});

const entry = z.strictObject({
  tag: z.string(),
  /** Folder with the committed form; only for supported releases. */
  line: z.string().optional(),
  status: z.enum(["supported", "imported in tests"]),
  json: file,
  proto: file.optional(),
});

const manifestSchema = z.record(z.string(), entry);

/** Per release: the official files that the committed schemas (or the tests) come from. */
export type Manifest = z.infer<typeof manifestSchema>;
/** The files of one release. */
export type ManifestEntry = z.infer<typeof entry>;

/** Reads `schemas/manifest.json`. */
export function parseManifest(text: string): Manifest {
  const parsed = manifestSchema.safeParse(parseJson(text, "schemas/manifest.json"));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new InputFault(
    issue?.message ?? "is not a manifest",
    `schemas/manifest.json#/${issue?.path.map(String).join("/") ?? ""}`,
  );
}

/** The manifest with one entry set, releases in ascending order. A line belongs to the release that was set last. */
export function withEntry(manifest: Manifest, release: string, value: ManifestEntry): Manifest {
  const others = Object.entries(manifest).map(([name, entry]): [string, ManifestEntry] => {
    if (entry.line === undefined || entry.line !== value.line) return [name, entry];
    const { tag, json, proto } = entry;
    return [name, { tag, status: "imported in tests", json, ...(proto === undefined ? {} : { proto }) }];
  });
  const all = [...others.filter(([name]) => name !== release), [release, value] as const];
  return Object.fromEntries(all.sort(([a], [b]) => byName(sortable(a), sortable(b))));
}

/** The lines of the supported releases, oldest first. */
export function linesIn(manifest: Manifest): readonly string[] {
  const supported = Object.entries(manifest).filter(([, { status }]) => status === "supported");
  return supported.sort(([a], [b]) => byName(sortable(a), sortable(b))).flatMap(([, { line }]) => line ?? []);
}

/** `1.10.0` after `1.9.0`. */
function sortable(release: string): string {
  const parts = release.split(".").map((part) => part.padStart(4, "0"));
  return parts.join(".");
}
