import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "./cache-folder.js";
import { command } from "./command.js";

/** Makes a virtual environment with what a requirements file pins, unless there is one; gives its interpreter. */
export async function installPython(requirements: string): Promise<string> {
  const digest = createHash("sha256").update(readFileSync(requirements)).digest("hex").slice(0, 12);
  const folder = join(cacheFolder(), `python-${digest}`);
  const python = join(folder, "bin", "python");
  // Written last: an installation that broke off is made anew.
  const ready = join(folder, "ready");
  if (existsSync(ready)) return python;
  rmSync(folder, { recursive: true, force: true });
  await command(["python3", "-m", "venv", folder]);
  await command(
    [
      python,
      "-m",
      "pip",
      "install",
      "--quiet",
      "--disable-pip-version-check",
      "--retries",
      "1",
      "-r",
      requirements,
    ],
    { timeoutMs: 300_000 },
  );
  writeFileSync(ready, "");
  return python;
}
