import { spawnSync } from "node:child_process";
import { temporaryBundle } from "../../scripts/temporary-bundle.js";
import type { BenchCase } from "../harness/bench-case.js";
import { sizeSubjects, weigh } from "../harness/bundle-size.js";
import { importSubjects, importTime, writeImport } from "../harness/import-time.js";
import { perRound } from "../harness/per-round.js";

const EMPTY = "empty module";
const builtOnce = perRound(async (_: "package", round) => {
  const built = await temporaryBundle();
  round.atEnd(() => built[Symbol.dispose]());
  return built.folder;
});

const imports: BenchCase = {
  name: "First import in a process",
  unit: "ms",
  subjects: importSubjects.map(({ name }) => name),
  async measure(name, round) {
    const subject = importSubjects.find((one) => one.name === name);
    if (!subject) throw new Error(`nothing is called ${name}`);
    return { cost: importTime(writeImport(subject, await builtOnce("package", round))) };
  },
  targets: importSubjects.flatMap(({ name, limit }) =>
    limit === undefined ? [] : [{ kind: "ratio", of: EMPTY, to: name, atLeast: 1 / limit } as const],
  ),
};

const sizes: BenchCase = {
  name: "Size of a bundle",
  unit: "kB, gzipped",
  alone: true,
  subjects: sizeSubjects.map(({ name }) => name),
  slices: 1,
  rounds: 1,
  async measure(name, round) {
    const subject = sizeSubjects.find((one) => one.name === name);
    if (!subject) throw new Error(`nothing is called ${name}`);
    const { gzipped } = await weigh(subject, await builtOnce("package", round));
    return { cost: gzipped / 1000 };
  },
  targets: sizeSubjects.flatMap(({ name, limit }) =>
    limit === undefined ? [] : [{ kind: "cost", to: name, atMost: limit / 1000 } as const],
  ),
};

/** All versions from the schemas, compared with what is committed. */
const codegen: BenchCase = {
  name: "Codegen",
  unit: "s",
  subjects: ["codegen --check"],
  slices: 1,
  rounds: 1,
  async measure() {
    const start = performance.now();
    const run = spawnSync(process.execPath, ["--import", "tsx", "codegen/cli.ts", "--check"], {
      encoding: "utf8",
    });
    if (run.status !== 0) throw new Error(`codegen --check failed:\n${run.stdout}${run.stderr}`);
    return Promise.resolve({ cost: (performance.now() - start) / 1000 });
  },
};

/** What users of the package wait for: imports, downloads; and who changes the schemas, for codegen. */
export const packageCases: readonly BenchCase[] = [imports, sizes, codegen];
