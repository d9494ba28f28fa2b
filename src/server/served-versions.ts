import { A2AError } from "../errors.js";

/**
 * The versions that a server serves, newest first, out of those that it could (newest first). A patch is ignored, as in
 * requests. Throws `CONFIG` for one that is not among them, and for none at all.
 */
export function servedVersions(
  asked: readonly string[] | undefined,
  possible: readonly string[],
): readonly string[] {
  if (asked === undefined) return possible;
  if (asked.length === 0) throw new A2AError("CONFIG", "versions: name at least one");
  const wanted = new Set(asked.map((version) => known(version, possible)));
  return possible.filter((version) => wanted.has(version));
}

function known(version: string, possible: readonly string[]): string {
  const [, line] = /^(\d+\.\d+)(?:\.\d+)?$/.exec(version.trim()) ?? [];
  if (line !== undefined && possible.includes(line)) return line;
  throw new A2AError(
    "CONFIG",
    `versions: this server does not speak A2A ${JSON.stringify(version)}; it speaks ${possible.join(", ")}`,
  );
}
