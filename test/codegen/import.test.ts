import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { importRelease } from "../../codegen/import.js";
import { buildModel } from "../../codegen/ir/build.js";
import { loadLine, schemasRoot, supportedLines } from "../../codegen/load/load-line.js";
import { loadOfficial } from "../../codegen/load/load-official.js";
import type { Schema } from "../../codegen/load/schema.js";
import { linesIn, parseManifest } from "../../codegen/load/manifest.js";
import { haveOfficial, officialPath, officialText, releases } from "./official-files.js";
import { shuffleKeys } from "./shuffle.js";

let dir = "";
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "a2a-import-"));
});
afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

/** Every file below a folder with its text. */
async function filesOf(root: string): Promise<Record<string, string>> {
  const names = (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  const paths = names.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await readFile(path, "utf8")] as const)),
  );
}

const schema = {
  definitions: { Task: { type: "object", properties: { id: { type: "string" } }, required: ["id"] } },
};
const proto = 'syntax = "proto3"; message Task { string id = 1; }';

async function write(name: string, text: string): Promise<string> {
  const path = join(dir, name);
  await writeFile(path, text);
  return path;
}

describe("schemas:import", () => {
  it("writes structure, proto facts and a manifest entry", async () => {
    const root = join(dir, "schemas");
    const json = await write("in.json", JSON.stringify(schema));
    await importRelease("0.9.2", { json, proto: await write("in.proto", proto), root });
    const files = await filesOf(root);
    expect(Object.keys(files).map((path) => path.slice(root.length))).toEqual([
      "/manifest.json",
      "/v0.9/a2a.json",
      "/v0.9/proto.json",
    ]);
    const manifest = parseManifest(files[join(root, "manifest.json")] ?? "");
    expect(manifest["0.9.2"]).toEqual({
      tag: "v0.9.2",
      line: "v0.9",
      status: "supported",
      json: {
        url: "https://raw.githubusercontent.com/a2aproject/A2A/v0.9.2/specification/json/a2a.json",
        sha256: createHash("sha256").update(JSON.stringify(schema)).digest("hex"),
        bytes: JSON.stringify(schema).length,
      },
      proto: {
        url: "https://raw.githubusercontent.com/a2aproject/A2A/v0.9.2/specification/grpc/a2a.proto",
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        bytes: proto.length,
      },
    });
  });

  it("gives a line to the release that was imported last", async () => {
    const root = join(dir, "schemas");
    const json = await write("in.json", JSON.stringify(schema));
    await importRelease("0.9.10", { json, root });
    await importRelease("0.10.0", { json, root });
    await importRelease("0.9.2", { json, root });
    const manifest = parseManifest(await readFile(join(root, "manifest.json"), "utf8"));
    expect(Object.entries(manifest).map(([release, { line, status }]) => [release, line, status])).toEqual([
      ["0.9.2", "v0.9", "supported"],
      ["0.9.10", undefined, "imported in tests"],
      ["0.10.0", "v0.10", "supported"],
    ]);
    expect(linesIn(manifest)).toEqual(["v0.9", "v0.10"]);
  });

  it("needs nothing else for a new line: facts and docs of the line before it serve as far as they fit", async () => {
    const root = join(dir, "schemas");
    await cp(schemasRoot, root, { recursive: true });
    const task =
      "message Task { string id = 1 [(google.api.field_behavior) = REQUIRED]; string fresh_field = 2; }";
    const service =
      "service S { rpc GetTask(Task) returns (Task); rpc NewThing(Task) returns (stream Task); }";
    const bundle = {
      definitions: {
        Task: {
          type: "object",
          properties: { id: { type: "string", default: "" }, freshField: { type: "string", default: "" } },
          patternProperties: { "^(fresh_field)$": {} },
        },
        AgentCard: {
          type: "object",
          properties: { any: { $ref: "google.protobuf.Struct.jsonschema.json" } },
        },
      },
    };
    const files = {
      json: await write("b.json", JSON.stringify(bundle)),
      proto: await write(
        "b.proto",
        `${task} message AgentCard { google.protobuf.Struct any = 1; } ${service}`,
      ),
      root,
    };
    await importRelease("1.1.0", files);
    const model = buildModel(await loadLine("v1.1", root));
    expect(model.methods.map((m) => [m.key, m.kind, m.idempotent, m.errors])).toEqual([
      ["getTask", "unary", true, ["TASK_NOT_FOUND"]],
      ["newThing", "serverStream", false, []],
    ]);
    const [, decl] = model.decls;
    expect(decl).toMatchObject({
      name: "Task",
      doc: expect.any(String) as string,
      fields: [{ name: "id", blank: "refused" }, { name: "freshField" }],
    });
    await expect(loadLine("v1.2", root)).rejects.toThrow(/line v1\.2: is none of v0\.2, v0\.3, v1\.0, v1\.1/);
  });

  it("reads from a URL, and records the URL that is given", async () => {
    const server = createServer((request, response) => {
      response.writeHead(request.url === "/a2a.json" ? 200 : 404).end(JSON.stringify(schema));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    try {
      const root = join(dir, "schemas");
      await importRelease("1.9.0", { json: `${origin}/a2a.json`, url: "https://example.org/a2a.json", root });
      const manifest = parseManifest(await readFile(join(root, "manifest.json"), "utf8"));
      expect(manifest["1.9.0"]?.json.url).toBe("https://example.org/a2a.json");
      await expect(importRelease("1.9.1", { json: `${origin}/none`, root })).rejects.toThrow(
        /answered HTTP 404/,
      );
    } finally {
      server.close();
    }
  });

  it("writes nothing when it fails", async () => {
    const root = join(dir, "schemas");
    const good = await write("good.json", JSON.stringify(schema));
    await importRelease("0.9.2", { json: good, root });
    const bad = await write("bad.json", JSON.stringify({ definitions: { A: { not: {} } } }));
    const badProto = await write("bad.proto", "message {");
    await writeFile(join(root, "v0.8"), "a file where a folder would go");
    const before = await filesOf(root);
    const attempts: [release: string, json: string, proto?: string][] = [
      ["0.9.3", bad],
      ["0.9.3", good, badProto],
      ["0.9.3", join(dir, "absent.json")],
      ["one", good],
      ["0.8.0", good],
    ];
    for (const [release, json, protoFile] of attempts) {
      const files = { json, ...(protoFile === undefined ? {} : { proto: protoFile }), root };
      await expect(importRelease(release, files)).rejects.toThrow();
    }
    expect(await filesOf(root)).toEqual(before);
  });

  it("puts back what it had moved when a later file cannot be placed", async () => {
    const root = join(dir, "schemas");
    const good = await write("good.json", JSON.stringify(schema));
    await importRelease("0.9.2", { json: good, root });
    await mkdir(join(root, "v0.9", "proto.json"));
    const before = await filesOf(root);
    const other = await write("other.json", JSON.stringify({ definitions: { Other: { type: "object" } } }));
    const files = { json: other, proto: await write("in.proto", proto), root };
    await expect(importRelease("0.9.3", files)).rejects.toThrow();
    expect(await filesOf(root)).toEqual(before);
  });

  it("leaves the lines alone when the manifest cannot be read", async () => {
    const root = join(dir, "schemas");
    const good = await write("good.json", JSON.stringify(schema));
    await importRelease("0.9.2", { json: good, root });
    await writeFile(join(root, "manifest.json"), "{ broken");
    const before = await filesOf(root);
    const other = await write("other.json", JSON.stringify({ definitions: { Other: { type: "object" } } }));
    await expect(importRelease("0.9.3", { json: other, root })).rejects.toThrow();
    expect(await filesOf(root)).toEqual(before);
  });
});

describe("committed schemas", () => {
  it("hold structure only", async () => {
    const keywords = new Set<string>();
    const walk = (node: Schema): void => {
      for (const keyword of Object.keys(node)) keywords.add(keyword);
      for (const child of Object.values(node.properties ?? {})) walk(child);
      for (const child of [node.items, node.additionalProperties, ...(node.anyOf ?? [])])
        if (child !== undefined) walk(child);
    };
    for (const line of supportedLines) Object.values((await loadLine(line)).schema.definitions).forEach(walk);
    expect([...keywords].sort()).toEqual([
      "additionalProperties",
      "aliases",
      "anyOf",
      "const",
      "default",
      "enum",
      "format",
      "items",
      "properties",
      "ref",
      "required",
      "type",
    ]);
  });

  it("have a manifest entry for every published release", async () => {
    const manifest = parseManifest(await readFile(join(schemasRoot, "manifest.json"), "utf8"));
    expect(Object.keys(manifest)).toEqual([...releases]);
    const supported = Object.entries(manifest).filter(([, entry]) => entry.status === "supported");
    expect(supported.map(([release, { line }]) => [release, line])).toEqual([
      ["0.2.6", "v0.2"],
      ["0.3.0", "v0.3"],
      ["1.0.1", "v1.0"],
    ]);
  });
});

describe.runIf(haveOfficial("import of the official files"))("official files", () => {
  it.each(releases)("%s has the digest of the manifest, and imports", async (release) => {
    const manifest = parseManifest(await readFile(join(schemasRoot, "manifest.json"), "utf8"));
    const committed = manifest[release];
    const json = officialPath(release, "a2a.json");
    const protoPath = officialPath(release, "a2a.proto");
    const manifestOnly = committed?.status !== "supported";
    const root = join(dir, "schemas");
    await importRelease(release, {
      json: json ?? "",
      ...(protoPath === undefined ? {} : { proto: protoPath }),
      root,
      manifestOnly,
    });
    const again = parseManifest(await readFile(join(root, "manifest.json"), "utf8"));
    expect(again[release]).toEqual(committed);
    if (committed?.line === undefined) return;
    for (const name of ["a2a.json", "proto.json"]) {
      const [fresh, kept] = await Promise.all(
        [root, schemasRoot].map((at) => readFile(join(at, committed.line ?? "", name), "utf8")),
      );
      expect(fresh).toBe(kept);
    }
  });

  it.each(releases)("%s gives the same model whatever the order of its keys", (release) => {
    const text = officialText(release, "a2a.json");
    const protoText =
      officialPath(release, "a2a.proto") === undefined ? {} : { proto: officialText(release, "a2a.proto") };
    const model = (json: string): string =>
      JSON.stringify(buildModel(loadOfficial({ release, json, ...protoText })));
    const plain = model(text);
    for (const seed of [7, 8]) expect(model(JSON.stringify(shuffleKeys(JSON.parse(text), seed)))).toBe(plain);
  });
});
