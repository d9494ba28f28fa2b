/**
 * What a browser bundle of a part of this package weighs: `npm run size` prints the table and writes bench/sizes.md.
 * `--check` exits with 1 where a limit is exceeded or the committed table is out of date by more than 2 %.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
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

/** Bytes of the minified bundle, plain and gzipped. */
async function measure(subject: Subject, folder: string): Promise<{ plain: number; gzipped: number }> {
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
    write: false,
    logLevel: "error",
  });
  const bytes = result.outputFiles[0]?.contents ?? new Uint8Array();
  return { plain: bytes.length, gzipped: gzipSync(bytes, { level: 9 }).length };
}

const kB = (bytes: number): string => (bytes / 1000).toFixed(1);

using built = await temporaryBundle();
const rows: { subject: Subject; plain: number; gzipped: number }[] = [];
for (const subject of subjects) rows.push({ subject, ...(await measure(subject, built.folder)) });

const lines = rows.map(
  ({ subject, plain, gzipped }) =>
    `| ${subject.name} | ${kB(plain)} | ${kB(gzipped)} | ${subject.limit === undefined ? "" : `≤ ${kB(subject.limit)}`} |`,
);
const text = `# Sizes

Bundled and minified by esbuild from the built package; kB = 1,000 bytes. Made by \`npm run size\`.

| bundle | minified kB | gzipped kB | limit, gzipped kB |
|---|---:|---:|---:|
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
