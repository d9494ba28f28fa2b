/** The line of a protocol version as users write it in an import → its folder under `generated/`. */
export const versionFolders = { "v0.2": "v0.2", "v0.3": "v0.3", v1: "v1.0" } as const;

const versionEntries = Object.entries(versionFolders).flatMap(([line, folder]) => [
  [line, `generated/${folder}/index.ts`, `${line}/index`] as const,
  [`${line}/validators`, `generated/${folder}/validators.js`, `${line}/validators`] as const,
  [`${line}/zod`, `generated/${folder}/zod.ts`, `${line}/zod`] as const,
]);

/** One subpath of the package: `subpath` as in `a2a-typed/<subpath>` (`""` is the root), its source, its file under `dist/`. */
export interface Entry {
  readonly subpath: string;
  readonly source: string;
  readonly output: string;
}

/** Every subpath that has JavaScript. */
export const entries: readonly Entry[] = [
  ["", "src/index.ts", "index"] as const,
  ...[
    "client",
    "server",
    "auth",
    "client-auth",
    "node",
    "fetch",
    "files",
    "express",
    "fastify",
    "hono",
    "testing",
    "sqlite",
    "postgres",
    "redis",
    "grpc",
    "convert",
    "codec",
    "wire",
    "webhook",
    "card",
    "session",
    "codegen-v1",
  ].map((name) => [name, `src/${name}.ts`, name] as const),
  ...versionEntries,
].map(([subpath, source, output]) => ({ subpath, source, output }));

/** The executable. */
export const cli: Entry = { subpath: "cli", source: "src/cli/main.ts", output: "cli" };
