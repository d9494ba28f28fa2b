import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Where installed peers are kept between runs: `A2A_INTEROP_CACHE`, else a folder of the user's cache. */
export function cacheFolder(): string {
  const caches = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const folder = process.env["A2A_INTEROP_CACHE"] ?? join(caches, "a2a-typed-interop");
  mkdirSync(folder, { recursive: true });
  return folder;
}
