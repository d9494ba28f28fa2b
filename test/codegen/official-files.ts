import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder with the official files, as `v1.0.1/a2a.json`; the tests that need it are skipped without it. */
export const officialDir = process.env["A2A_OFFICIAL_DIR"];

/** All published releases with an `a2a.json`. */
export const releases = [
  "0.1.0",
  "0.2.0",
  "0.2.1",
  "0.2.2",
  "0.2.3",
  "0.2.4",
  "0.2.5",
  "0.2.6",
  "0.3.0",
  "1.0.0",
  "1.0.1",
] as const;
export type Release = (typeof releases)[number];

/** True where the official files are at hand; says once per file of tests why not. */
export function haveOfficial(what: string): boolean {
  if (officialDir !== undefined && existsSync(join(officialDir, "v1.0.1", "a2a.json"))) return true;
  console.info(`${what}: skipped, A2A_OFFICIAL_DIR does not name a folder with the official schema files`);
  return false;
}

/** Path of an official file; undefined where the release has none (no proto before 0.2.2). */
export function officialPath(release: string, name: "a2a.json" | "a2a.proto"): string | undefined {
  const path = join(officialDir ?? "", `v${release}`, name);
  return existsSync(path) ? path : undefined;
}

/** Text of an official file that must exist. */
export function officialText(release: string, name: "a2a.json" | "a2a.proto"): string {
  return readFileSync(officialPath(release, name) ?? `v${release}/${name} is missing`, "utf8");
}
