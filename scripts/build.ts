import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundle, root } from "./bundle.js";
import { versionFolders } from "./entries.js";

const dist = join(root, "dist");

const copy = (from: string, to: string): void => {
  mkdirSync(dirname(join(dist, to)), { recursive: true });
  copyFileSync(join(root, from), join(dist, to));
};

rmSync(dist, { recursive: true, force: true });
await bundle(dist);

const tsc = spawnSync(
  process.execPath,
  [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json"],
  { cwd: root, stdio: "inherit" },
);
if (tsc.status !== 0) process.exit(1);

for (const [line, folder] of Object.entries(versionFolders)) {
  copy(`generated/${folder}/validators.d.ts`, `types/generated/${folder}/validators.d.ts`);
  copy(`generated/${folder}/schema.json`, `${line}/schema.json`);
}
