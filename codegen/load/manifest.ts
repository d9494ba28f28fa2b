import { z } from "zod";
import { InputFault } from "./fault.js";
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
export type ManifestEntry = z.infer<typeof entry>;

/** Reads `schemas/manifest.json`. */
export function parseManifest(text: string): Manifest {
  const parsed = manifestSchema.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new InputFault(
    issue?.message ?? "is not a manifest",
    `schemas/manifest.json#/${issue?.path.map(String).join("/") ?? ""}`,
  );
}

/** The manifest with one entry set, releases in ascending order. */
export function withEntry(manifest: Manifest, release: string, value: ManifestEntry): Manifest {
  const all = { ...manifest, [release]: value };
  const key = (name: string): string =>
    name
      .split(".")
      .map((part) => part.padStart(4, "0"))
      .join(".");
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => byName(key(a), key(b))));
}
