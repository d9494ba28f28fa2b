import { beforeAll, describe, expect, it } from "vitest";
import { buildModel } from "../../codegen/ir/build.js";
import type { Decl, Model } from "../../codegen/ir/types.js";
import { loadLine } from "../../codegen/load/load-line.js";
import { loadOfficial } from "../../codegen/load/load-official.js";
import { haveOfficial, officialText, releases } from "./official-files.js";

/** The raw file, read without any code of the generator. */
interface Node {
  readonly type?: string | string[];
  readonly $ref?: string;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly properties?: Record<string, Node>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
  readonly additionalProperties?: Node;
}

function rawDefinitions(release: string): Record<string, Node> {
  const file = JSON.parse(officialText(release, "a2a.json")) as Record<
    "definitions" | "$defs",
    Record<string, Node> | undefined
  >;
  return file.definitions ?? file.$defs ?? {};
}

async function modelOf(release: string): Promise<Model> {
  const line = release === "0.1.0" ? undefined : await loadLine(release.startsWith("0.2") ? "v0.2" : "v0.3");
  const overlay = line?.overlay === undefined ? {} : { overlay: line.overlay };
  return buildModel(loadOfficial({ release, json: officialText(release, "a2a.json"), ...overlay }));
}

const plainReleases = releases.filter((release) => release.startsWith("0."));

describe.runIf(haveOfficial("oracle of 0.x")).each(plainReleases)("A2A %s", (release) => {
  let raw: Record<string, Node> = {};
  let model!: Model;
  let decls = new Map<string, Decl>();
  beforeAll(async () => {
    raw = rawDefinitions(release);
    model = await modelOf(release);
    decls = new Map(model.decls.map((decl) => [decl.name, decl]));
  });

  it("every definition is declared, and nothing is made up", () => {
    // Names of ours: inline enums, results and params of methods, the empty message.
    const ours = /^(Role|MessageRole|APIKeyLocation|Empty|\w+Result|\w+Input)$/;
    expect(Object.keys(raw).filter((name) => !decls.has(name))).toEqual([]);
    expect([...decls.keys()].filter((name) => !Object.hasOwn(raw, name) && !ours.test(name))).toEqual([]);
  });

  it("every object has its properties, requiredness and constants", () => {
    for (const [name, node] of Object.entries(raw)) {
      if (node.properties === undefined) continue;
      const decl = decls.get(name);
      if (decl?.kind !== "object") throw new Error(`${name} is not an object`);
      expect([name, decl.fields.map((field) => field.name).sort()]).toEqual([
        name,
        Object.keys(node.properties).sort(),
      ]);
      expect([
        name,
        decl.fields
          .filter((field) => field.required)
          .map((field) => field.name)
          .sort(),
      ]).toEqual([name, [...(node.required ?? [])].sort()]);
      for (const field of decl.fields) {
        const constant = node.properties[field.name]?.const;
        expect([name, field.name, field.type.kind === "literal" ? field.type.value : undefined]).toEqual([
          name,
          field.name,
          constant,
        ]);
      }
    }
  });

  it("every list of values is an enum with those values", () => {
    const written = new Set<string>();
    const walk = (node: Node): void => {
      if (node.enum !== undefined) written.add(JSON.stringify(node.enum));
      for (const child of Object.values(node.properties ?? {})) walk(child);
      if (node.items !== undefined) walk(node.items);
    };
    Object.values(raw).forEach(walk);
    const declared = model.decls.flatMap((decl) =>
      decl.kind === "enum" ? [JSON.stringify(decl.values.map(({ value }) => value))] : [],
    );
    expect(declared.sort()).toEqual([...written].sort());
  });

  it("every method constant is a method, with its params and result", () => {
    const text = officialText(release, "a2a.json");
    const written = [...text.matchAll(/"const":\s*"([a-z]+\/[A-Za-z/]+)"/g)].map((match) => match[1] ?? "");
    expect(model.methods.map(({ jsonrpc }) => jsonrpc).sort()).toEqual([...new Set(written)].sort());
    for (const method of model.methods) {
      const params = raw[`${method.name}Request`]?.properties?.["params"];
      expect([method.name, namesIn(method.input)]).toEqual([
        method.name,
        params === undefined ? ["Empty"] : refsIn(params),
      ]);
      const response = raw[`${method.name}SuccessResponse`] ?? raw[`${method.name}Response`];
      const result = response?.properties?.["result"];
      if (result !== undefined)
        expect([method.name, namesIn(method.output)]).toEqual([method.name, refsIn(result)]);
    }
  });

  it("every error code of A2A is an error with its message", () => {
    const written = Object.values(raw).flatMap((node) => {
      const code = node.properties?.["code"]?.const;
      const message = node.properties?.["message"];
      return typeof code === "number" && code > -32100 && code <= -32000
        ? [[code, message?.const ?? message?.default]]
        : [];
    });
    expect(model.errors.map(({ code, message }) => [code, message])).toEqual(
      written.sort((a, b) => Number(b[0]) - Number(a[0])),
    );
  });

  it("every union has its members, and a tag wherever the members carry kind, type, method or code", () => {
    for (const [name, node] of Object.entries(raw)) {
      const members = node.anyOf ?? node.oneOf;
      if (members === undefined) continue;
      const decl = decls.get(name);
      if (decl?.kind !== "alias" || decl.type.kind !== "union") throw new Error(`${name} is not a union`);
      expect(namesIn(decl.type)).toEqual(members.flatMap(refsIn));
      const tag = ["kind", "type", "method", "code"].find((property) =>
        members.every((member) => raw[tail(member.$ref ?? "")]?.properties?.[property]?.const !== undefined),
      );
      if (tag !== undefined)
        expect([name, decl.type.discrimination]).toMatchObject([name, { by: "tag", tag }]);
    }
  });

  /** Names of the types that a type is made of, through our own names for inline types. */
  function namesIn(type: Model["methods"][number]["input"]): string[] {
    if (type.kind === "ref") {
      const decl = decls.get(type.name);
      return !Object.hasOwn(raw, type.name) && decl?.kind === "alias" ? namesIn(decl.type) : [type.name];
    }
    if (type.kind === "array" || type.kind === "map") return namesIn(type.of);
    return type.kind === "union" ? type.of.flatMap(namesIn) : [];
  }
});

function refsIn(node: Node): string[] {
  if (node.$ref !== undefined) return [tail(node.$ref)];
  return [...(node.anyOf ?? []), ...(node.items === undefined ? [] : [node.items])].flatMap(refsIn);
}

function tail(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}
