import { readFile } from "node:fs/promises";
import { build, type Metafile, type Plugin } from "esbuild";
import { cli, entries, type Entry } from "./entries.js";

/** Root of the repository. */
export const root = new URL("..", import.meta.url).pathname;

/**
 * Writes the JavaScript of the package: one file per entry plus shared chunks, source maps, dependencies external.
 * Shared chunks keep every class single, whichever subpaths a program imports. The executable is a program of its own
 * and shares nothing with them: its imports would cut the chunks of the library into more pieces.
 */
export async function bundle(outdir: string): Promise<Metafile> {
  const library = await run(entries, outdir, "chunks");
  const executable = await run([cli], outdir, "chunks/cli");
  return {
    inputs: { ...library.inputs, ...executable.inputs },
    outputs: { ...library.outputs, ...executable.outputs },
  };
}

async function run(sources: readonly Entry[], outdir: string, chunks: string): Promise<Metafile> {
  const result = await build({
    absWorkingDir: root,
    entryPoints: sources.map(({ source, output }) => ({ in: source, out: output })),
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    packages: "external",
    external: ["node:*"],
    target: "es2022",
    define: { A2A_TYPED_VERSION: JSON.stringify(await packageVersion()) },
    plugins: [oneChunk],
    logOverride: { "ignored-bare-import": "silent" },
    chunkNames: `${chunks}/[name]-[hash]`,
    sourcemap: true,
    // Comments and indentation are more than half of the text that an import reads; lines stay short and names whole, so
    // that a stack trace says something without the source map too.
    minifyWhitespace: true,
    lineLimit: 120,
    metafile: true,
    logLevel: "warning",
  });
  return result.metafile;
}

async function packageVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(`${root}package.json`, "utf8")) as {
    readonly version: string;
  };
  return version;
}

/**
 * Modules that are loaded with another one: anchor → companions, relative to the root, without `.ts`. esbuild makes a
 * chunk for each set of entries that reach the same modules, some of a few hundred bytes; each is one more file to load.
 * Whoever uses the anchor reaches its companions too, so that they become one chunk. A companion that imports its anchor
 * must not use it before all modules are there.
 */
const companions: Readonly<Record<string, readonly string[]>> = {
  // What nearly every entry uses.
  "src/errors": [
    "src/base64url",
    "src/call",
    "src/json-text",
    "src/sha256",
    "src/unref",
    "src/codec/check",
    "src/codec/decode",
    "src/codec/query",
    "src/codec/misfits",
    "src/codec/name-segment",
    "src/codec/tolerant",
    "src/convert/route",
    "src/adapter/too-large",
    "src/auth/challenge",
    "src/card/well-known",
    "src/keys/algorithms",
    "src/binding/invoke",
    "src/binding/public-error",
    "src/binding/to-rpc-error",
    "src/binding/from-rpc-error",
    "src/binding/in-memory-client",
    "src/client/call-headers",
    "src/client/http-body",
    "src/client/http-error",
    "src/client/http-send",
    "src/client/on-abort",
    "src/client/parse-json",
    "src/client/run",
    "src/bus/listeners",
    "src/bus/memory-bus",
    "src/bus/per-tick",
    "src/push/delivery-id",
    "src/store/ceil-timestamp",
    "src/store/page-token",
    "src/store/url-path",
    "src/push/delivery-jwt",
    "src/telemetry/trace-context",
    // Small ones. Not `src/take`: only streams need it, and clients load what those need with the first of them.
    "src/growable",
    "src/client/grpc-address",
    "src/client/read-reply",
    "src/client/auth/secret-headers",
    "src/binding/version",
    "src/http/refused-early",
    "src/http/serving",
    "src/http/unnamed-call",
  ],
  // Bindings of the newest version: programs that use some of them mostly use all.
  "generated/v1.0/service": [
    "generated/v1.0/helpers",
    "generated/v1.0/presence",
    "generated/v1.0/types",
    "src/versions/pivot",
  ],
  // Who serves over the web's own types has a server.
  "src/http/handler": ["src/net/allow-list", "src/adapter/fetch"],
  "src/net/allow-list": ["src/http/handler"],
  "src/adapter/serve-fetch": ["src/http/handler"],
  // Who keeps tasks in files has a server.
  "src/store/memory-data": ["src/server/create-server"],
  "src/telemetry/otel": ["src/errors"],
  // What a server does with its card before it signs it.
  "src/card/sign-card": ["src/card/lint"],
};

/** Makes one chunk of an anchor and its companions. */
const oneChunk: Plugin = {
  name: "one-chunk",
  setup(build) {
    for (const [anchor, names] of Object.entries(companions)) {
      build.onLoad({ filter: new RegExp(`/${anchor}\\.ts$`) }, async ({ path }) => ({
        contents:
          (await readFile(path, "utf8")) +
          names.map((name) => `import ${JSON.stringify(`${root}${name}.js`)};\n`).join(""),
        loader: "ts",
      }));
    }
  },
};
