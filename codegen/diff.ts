import { pathToFileURL } from "node:url";
import { Command } from "commander";
import { compareModels } from "./diff/compare.js";
import { modelOfRelease } from "./diff/model-of-release.js";
import { declaredRenames } from "./diff/renames.js";
import { renderDiff } from "./diff/render.js";
import { stableJson } from "./load/stable-json.js";

/** The text that `schemas:diff` prints for two releases. */
export async function diffReleases(
  from: string,
  to: string,
  json: boolean,
  officialDir?: string,
): Promise<string> {
  const [older, newer] = [await modelOfRelease(from, officialDir), await modelOfRelease(to, officialDir)];
  const diff = compareModels(older, newer, await declaredRenames(older.release, newer.release));
  return json ? stableJson(diff) : renderDiff(diff);
}

async function main(argv: readonly string[]): Promise<void> {
  const program = new Command("schemas:diff")
    .description(
      "Print what changed between two releases. Others than the committed ones are read from A2A_OFFICIAL_DIR.",
    )
    .argument("<from>", "release, as in 0.3.0")
    .argument("<to>", "release, as in 1.0.1")
    .option("--json", "print JSON", false);
  program.action(async (from: string, to: string, options: { json: boolean }) => {
    process.stdout.write(await diffReleases(from, to, options.json, process.env["A2A_OFFICIAL_DIR"]));
  });
  await program.parseAsync([...argv], { from: "user" });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(process.argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(`schemas:diff: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}
