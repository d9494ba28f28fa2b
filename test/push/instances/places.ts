import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { serviceUrl } from "../../services/service-url.js";
import { newSchema } from "../../store/postgres-fixture.js";
import type { Place } from "./start-instance.js";

/** A kind of store: its name, whether its server is missing, and what makes an empty one. */
export type PlaceKind = readonly [name: string, skipped: boolean, place: () => Place];

/** Where several processes can share a store; a file goes with the test that made it. */
export function sharedPlaces(what: string): PlaceKind[] {
  const postgres = serviceUrl("postgres", `${what} on PostgreSQL`) ?? "";
  return [
    ["SQLite", false, sqlitePlace],
    ["PostgreSQL", postgres === "", () => ({ url: postgres, schema: newSchema() })],
  ];
}

function sqlitePlace(): Place {
  const dir = mkdtempSync(join(tmpdir(), "a2a-push-"));
  onTestFinished(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  return { path: join(dir, "tasks.db") };
}
