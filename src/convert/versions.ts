import { A2AError } from "../errors.js";

/** A version as a caller names it: its line, and the release where one is named. */
export interface NamedVersion {
  readonly line: string;
  readonly release: string | undefined;
}

/** `0.3` or any release of it, `0.3.0`. Throws `CONFIG` for a line that is none of `known`. */
export function parseVersion(text: string, known: readonly string[]): NamedVersion {
  const [, line, patch] = /^(\d+\.\d+)(\.\d+)?$/.exec(text) ?? [];
  if (line === undefined || !known.includes(line))
    throw new A2AError(
      "CONFIG",
      `A2A ${text} is not supported: expected ${known.join(", ")} or a release of one of these (${known[0] ?? ""}.0)`,
    );
  return { line, release: patch === undefined ? undefined : text };
}
