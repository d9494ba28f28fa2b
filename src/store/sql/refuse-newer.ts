import { A2AError } from "../../errors.js";
import { migrationNames } from "./migration-names.js";

/** Throws `CONFIG` where a database has a migration that is not known here: a newer version wrote it. */
export function refuseNewer(applied: readonly string[]): void {
  const known: readonly string[] = migrationNames;
  const strange = applied.find((name) => !known.includes(name));
  if (strange === undefined) return;
  throw new A2AError(
    "CONFIG",
    `store: the database has the migration ${strange}, which this version of a2a-typed does not know; update a2a-typed`,
  );
}
