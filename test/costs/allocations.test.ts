import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, expect, it } from "vitest";
import type { Allocated } from "./allocate.js";

/** Bytes: what was measured, and an eighth for other versions of Node. */
const LIMITS: Allocated = { send: 18_000, get: 6_450, event: 1_750 };

const folder = mkdtempSync(join("node_modules/.cache", "costs-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("calls and events allocate no more than they did", async () => {
  const outfile = join(folder, "allocate.mjs");
  await build({
    entryPoints: ["test/costs/allocate.ts"],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    logLevel: "error",
  });
  // Without optimised code the counts do not depend on when it is compiled.
  const flags = ["--expose-gc", "--min-semi-space-size=64", "--max-semi-space-size=64", "--no-opt"];
  const run = spawnSync(process.execPath, [...flags, outfile], { encoding: "utf8" });
  expect(run.stderr).toBe("");
  const allocated = JSON.parse(run.stdout) as Allocated;
  for (const [name, bytes] of Object.entries(allocated)) expect(bytes, name).toBeGreaterThan(100);
  expect(allocated.send, "bytes per SendMessage").toBeLessThanOrEqual(LIMITS.send);
  expect(allocated.get, "bytes per GetTask").toBeLessThanOrEqual(LIMITS.get);
  expect(allocated.event, "bytes per event of a stream").toBeLessThanOrEqual(LIMITS.event);
}, 120_000);
