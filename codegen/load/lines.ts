/** `1.0.1` → `1.0`. */
export function minorOf(release: string): string {
  return release.split(".").slice(0, 2).join(".");
}

/** `1.0.1` → `v1.0`: the folder under `schemas/` and `generated/`. */
export function lineOf(release: string): string {
  return `v${minorOf(release)}`;
}
