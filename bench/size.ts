/**
 * What a browser bundle of a part of this package weighs: `npm run size` prints the table and writes bench/sizes.md.
 * `--check` exits with 1 where a limit is exceeded or the committed table is out of date by more than 2 %.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { root } from "../scripts/bundle.js";
import { entries } from "../scripts/entries.js";
import { temporaryBundle } from "../scripts/temporary-bundle.js";

const check = process.argv.includes("--check");
const table = join(root, "bench/sizes.md");

interface Subject {
  readonly name: string;
  readonly source: string;
  /** Bytes, gzipped. */
  readonly limit?: number;
  readonly platform?: "browser" | "node";
}

const client = (binding: string): string => `
  import { createClient, ${binding} } from "a2a-typed";
  import { A2A } from "a2a-typed/v1";
  globalThis.client = createClient(A2A, ${binding}({ url: "https://agent.example.com" }));`;
const keep = (name: string, from: string): string =>
  `import { ${name} } from "${from}"; globalThis.kept = ${name};`;

const subjects: readonly Subject[] = [
  {
    name: "one validator: `isMessage` of 1.0",
    source: keep("isMessage", "a2a-typed/v1/validators"),
    limit: 4_000,
  },
  {
    name: "one validator: `isAgentCard` of 1.0",
    source: keep("isAgentCard", "a2a-typed/v1/validators"),
    limit: 4_000,
  },
  {
    name: "client of 1.0, JSON-RPC: every method, every reply decoded",
    source: client("jsonRpc"),
    limit: 10_000,
  },
  { name: "client of 1.0, HTTP+JSON", source: client("httpJson") },
  {
    name: "client of 1.0, both bindings, helpers",
    source: `${client("jsonRpc")}
      import { httpJson } from "a2a-typed";
      import { data, file, text, textOf, userMessage } from "a2a-typed/v1";
      Object.assign(globalThis, { httpJson, data, file, text, textOf, userMessage });`,
  },
  { name: "`A2AError` alone", source: keep("A2AError", "a2a-typed") },
  { name: "official SDK 1.3: `ClientFactory`", source: keep("ClientFactory", "@a2a-js/sdk/client") },
  {
    name: "server of 1.0 on Node, memory store",
    source: keep("serve", "a2a-typed/server"),
    platform: "node",
  },
];

/** Bytes of a minified bundle. */
interface Weight {
  /** What the page loads at its start. */
  readonly plain: number;
  readonly gzipped: number;
  /** Gzipped: what a first stream loads besides, which bundlers that split code keep apart. */
  readonly later: number;
}

async function measure(subject: Subject, folder: string): Promise<Weight> {
  const result = await build({
    stdin: { contents: subject.source, resolveDir: root },
    alias: Object.fromEntries(
      entries
        .map(
          ({ subpath, output }) =>
            [`a2a-typed${subpath && `/${subpath}`}`, join(folder, `${output}.js`)] as const,
        )
        // Longest first: an alias also matches what starts with it.
        .toSorted(([a], [b]) => b.length - a.length),
    ),
    tsconfigRaw: {},
    bundle: true,
    minify: true,
    format: "esm",
    platform: subject.platform ?? "browser",
    target: "es2022",
    splitting: true,
    outdir: "/out",
    metafile: true,
    write: false,
    logLevel: "error",
  });
  const weight = { plain: 0, gzipped: 0, later: 0 };
  const start = startOf(result.metafile);
  // The chunks of an import() that was shaken off are written all the same.
  const loads = result.outputFiles.some(
    ({ path, text }) => start.has(basename(path)) && text.includes("import("),
  );
  for (const { path, contents } of result.outputFiles) {
    const gzipped = gzipSync(contents, { level: 9 }).length;
    if (start.has(basename(path))) {
      weight.plain += contents.length;
      weight.gzipped += gzipped;
    } else if (loads) weight.later += gzipped;
  }
  return weight;
}

/** Names of the files that the entry imports statically, itself included. */
function startOf({ outputs }: Metafile): Set<string> {
  const files = new Set<string>();
  const take = (path: string): void => {
    if (files.has(basename(path))) return;
    files.add(basename(path));
    for (const { path: next, kind } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement" && next in outputs) take(next);
    }
  };
  // What is imported dynamically counts as an entry point too.
  for (const [path, { entryPoint }] of Object.entries(outputs)) if (entryPoint === "<stdin>") take(path);
  return files;
}

const kB = (bytes: number): string => (bytes / 1000).toFixed(1);

using built = await temporaryBundle();
const rows: (Weight & { subject: Subject })[] = [];
for (const subject of subjects) rows.push({ subject, ...(await measure(subject, built.folder)) });

const lines = rows.map(
  ({ subject, plain, gzipped, later }) =>
    `| ${subject.name} | ${kB(plain)} | ${kB(gzipped)} | ${subject.limit === undefined ? "" : `≤ ${kB(subject.limit)}`} | ${later > 0 ? `+ ${kB(later)}` : ""} |`,
);
const text = `# Sizes

Bundled, split and minified by esbuild from the built package; kB = 1,000 bytes. Made by \`npm run size\`. The last column
is what the first stream loads besides (the event-stream parser): part of the bundle where code is not split.

| bundle | minified kB | gzipped kB | limit, gzipped kB | later, gzipped kB |
|---|---:|---:|---:|---:|
${lines.join("\n")}
`;
console.log(text);

const over = rows.filter(({ subject, gzipped }) => subject.limit !== undefined && gzipped > subject.limit);
for (const { subject, gzipped } of over) console.error(`${subject.name}: ${gzipped} bytes, above its limit`);
if (!check) writeFileSync(table, text);
else if (over.length > 0 || isStale()) process.exitCode = 1;

/** True where a figure of the committed table is off by more than 2 %. */
function isStale(): boolean {
  const committed = existsSync(table) ? readFileSync(table, "utf8") : "";
  const stale = rows.filter(({ subject, gzipped }) => {
    const line = committed.split("\n").find((one) => one.startsWith(`| ${subject.name} |`));
    const old = Number(line?.split("|")[3]) * 1000;
    return !(Math.abs(old - gzipped) <= Math.max(0.02 * gzipped, 60));
  });
  for (const { subject } of stale)
    console.error(`bench/sizes.md is out of date: ${subject.name}; run npm run size`);
  return stale.length > 0;
}
