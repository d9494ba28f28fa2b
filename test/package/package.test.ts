import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cli, entries, versionFolders } from "../../scripts/entries.js";
import { temporaryBundle, type TemporaryBundle } from "../../scripts/temporary-bundle.js";

const root = new URL("../..", import.meta.url).pathname;
const json = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));
const manifest = json("package.json");

describe("package.json", () => {
  it("exports every entry with types and JavaScript", () => {
    const expected: Record<string, unknown> = { "./package.json": "./package.json" };
    for (const { subpath, source, output } of entries) {
      expected[subpath ? `./${subpath}` : "."] = {
        types: `./dist/types/${source.replace(/\.[tj]s$/, ".d.ts")}`,
        default: `./dist/${output}.js`,
      };
    }
    for (const line of Object.keys(versionFolders)) {
      expected[`./${line}/schema.json`] = `./dist/${line}/schema.json`;
    }
    expect(manifest.exports).toEqual(expected);
    expect(manifest.bin).toEqual({ "a2a-typed": `dist/${cli.output}.js` });
  });

  it("the repository resolves the same subpaths to their sources", () => {
    const expected = Object.fromEntries(
      entries.map(({ subpath, source }) => [`a2a-typed${subpath && `/${subpath}`}`, [`./${source}`]]),
    );
    expect(json("tsconfig.json").compilerOptions.paths).toEqual(expected);
  });

  it("pins what shapes generated code", () => {
    expect(manifest.devDependencies.prettier).toMatch(/^\d/);
    expect(manifest.devDependencies.ajv).toMatch(/^\d/);
  });
});

describe("the bundle", () => {
  let built: TemporaryBundle;
  beforeAll(async () => {
    built = await temporaryBundle();
  });
  afterAll(() => built[Symbol.dispose]());

  const outputs = () =>
    Object.entries(built.metafile.outputs)
      .filter(([file]) => file.endsWith(".js"))
      .map(([file, output]) => ({ file: relative(built.folder, join(root, file)), imports: output.imports }));

  /** Files and packages that a file of the bundle loads by static imports. */
  function load(file: string, seen = new Set<string>()): Set<string> {
    if (seen.has(file)) return seen;
    seen.add(file);
    for (const one of outputs().find((output) => output.file === file)?.imports ?? []) {
      if (one.kind === "dynamic-import") continue;
      if (one.external) seen.add(one.path);
      else load(relative(built.folder, join(root, one.path)), seen);
    }
    return seen;
  }

  const packagesOf = (...files: string[]): string[] =>
    [...new Set(files.flatMap((file) => [...load(file)]))].filter((name) => !name.endsWith(".js"));

  /** Files that a fresh process loads for a module with this source. */
  function loadedFiles(source: string): string[] {
    const script = join(built.folder, "load.mjs");
    const log = join(built.folder, "loaded.txt");
    writeFileSync(script, source);
    writeFileSync(log, "");
    const hook = join(root, "test/package/count-loads.mjs");
    const run = spawnSync(process.execPath, ["--import", hook, script], {
      env: { ...process.env, LOADED_FILES: log },
      encoding: "utf8",
    });
    expect(run.stderr).toBe("");
    return readFileSync(log, "utf8")
      .split("\n")
      .filter((url) => url && !url.endsWith("/load.mjs") && !url.endsWith("/count-loads.mjs"));
  }

  it("the client and the versions load no package before the first stream", () => {
    const lines = Object.keys(versionFolders).map((line) => `${line}/index.js`);
    expect(packagesOf("index.js", "client.js", ...lines)).toEqual([]);
  });

  it("validators load nothing", () => {
    expect(packagesOf(...Object.keys(versionFolders).map((line) => `${line}/validators.js`))).toEqual([]);
  });

  it("the server loads no zod, undici, jose or ipaddr.js before they are used", () => {
    expect(
      packagesOf("server.js", "node.js", "fetch.js").filter((name) => /^(zod|undici|jose|ipaddr)/.test(name)),
    ).toEqual([]);
  });

  it("every package that it imports is a dependency", () => {
    const imported = outputs().flatMap(({ imports }) =>
      imports.flatMap((one) => (one.external && !one.path.startsWith("node:") ? [one.path] : [])),
    );
    const names = [
      ...new Set(
        imported.map((path) =>
          path
            .split("/")
            .slice(0, path.startsWith("@") ? 2 : 1)
            .join("/"),
        ),
      ),
    ];
    const known = { ...manifest.dependencies, ...manifest.peerDependencies };
    expect(names.filter((name) => !(name in known))).toEqual([]);
    expect(Object.keys(manifest.dependencies).filter((name) => !names.includes(name))).toEqual([]);
  });

  it("has no require(, eval or new Function", () => {
    const found = outputs().filter(({ file }) =>
      /\brequire\s*\(|\beval\s*\(|\bnew Function\b/.test(readFileSync(join(built.folder, file), "utf8")),
    );
    expect(found.map(({ file }) => file)).toEqual([]);
  });

  it("a first import of . and ./v1 loads at most 8 files", () => {
    const files = loadedFiles(`import "./index.js"; import "./v1/index.js";`);
    expect(files.length).toBeGreaterThanOrEqual(2);
    expect(files.length, files.join("\n")).toBeLessThanOrEqual(8);
  });

  it("a first import of ./server loads at most 12 files", () => {
    const files = loadedFiles(`import "./server.js";`);
    expect(files.length).toBeGreaterThanOrEqual(1);
    expect(files.length, files.join("\n")).toBeLessThanOrEqual(12);
  });

  it("a server loads old versions with the first request for one, and no earlier", () => {
    const calls = (requests: string) => `
      import { defineAgent, serve } from "./server.js";
      const card = { name: "x", description: "x", skills: [] };
      const server = await serve(defineAgent({ card, handle: async () => "ok" }), { port: 0 });
      const headers = { "content-type": "application/json" };
      const send = (version, method, message) => fetch(server.url, {
        method: "POST",
        headers: { ...headers, "a2a-version": version },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { message } }),
      }).then((response) => response.text());
      ${requests}
      await server.close();`;
    const newest = `
      await send("1.0", "SendMessage", { messageId: "m", role: "ROLE_USER", parts: [{ text: "x" }] });
      await fetch(server.url + "/.well-known/agent-card.json", { headers: { "a2a-version": "1.0" } });`;
    const older = `
      const text = await send("0.3", "message/send",
        { kind: "message", messageId: "m", role: "user", parts: [{ kind: "text", text: "x" }] });
      if (!text.includes("artifacts")) throw new Error(text);`;
    const old = (requests: string): string[] =>
      loadedFiles(calls(requests)).filter((url) =>
        /"message\/send"|There is no conversion between/.test(readFileSync(new URL(url), "utf8")),
      );
    expect(old(newest)).toEqual([]);
    expect(old(newest + older).length).toBeGreaterThan(1);
  });

  it("is executable as a command", () => {
    expect(readFileSync(join(built.folder, "cli.js"), "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
    const run = spawnSync(process.execPath, [join(built.folder, "cli.js"), "--help"], { encoding: "utf8" });
    expect(run.status).toBe(0);
    expect(run.stdout).toMatch(/^Usage: a2a-typed /);
  });

  it("has one A2AError whichever subpath it comes from", () => {
    const defining = outputs().filter(
      ({ file }) =>
        !file.includes("cli") &&
        /class A2AError\b|A2AError ?= ?class/.test(readFileSync(join(built.folder, file), "utf8")),
    );
    expect(defining.map(({ file }) => file)).toHaveLength(1);
  });
});
