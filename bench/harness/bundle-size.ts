import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { root } from "../../scripts/bundle.js";
import { entries } from "../../scripts/entries.js";

/** Something that is bundled. */
export interface SizeSubject {
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

/** Parts of this package, and the official SDK. */
export const sizeSubjects: readonly SizeSubject[] = [
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
export interface Weight {
  /** What the page loads at its start. */
  readonly plain: number;
  readonly gzipped: number;
  /** Gzipped: what a first stream loads besides, which bundlers that split code keep apart. */
  readonly later: number;
}

/** Bundles a subject from a built package. */
export async function weigh(subject: SizeSubject, folder: string): Promise<Weight> {
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
