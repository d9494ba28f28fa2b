import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildModel } from "../../codegen/ir/build.js";
import { undocumented } from "../../codegen/ir/docs.js";
import type { Model } from "../../codegen/ir/types.js";
import { loadLine } from "../../codegen/load/load-line.js";

/** `schemas/<line>/docs.json`: our own sentence for everything a version declares. */
interface Docs {
  readonly types: Readonly<
    Record<string, { readonly doc: string; readonly fields?: Texts; readonly values?: Texts }>
  >;
  readonly methods: Texts;
  readonly errors: Texts;
  /** What the ProtoJSON of the proto has beyond that, or means otherwise. */
  readonly form?: Pick<Docs, "types" | "methods">;
}
type Texts = Readonly<Record<string, string>>;

const lines = [
  { line: "v1.0", release: "1.0.1" },
  { line: "v0.3", release: "0.3.0" },
  { line: "v0.2", release: "0.2.6" },
];
const officialDir = process.env["A2A_OFFICIAL_DIR"];
const readDocs = (line: string) => JSON.parse(readFileSync(`schemas/${line}/docs.json`, "utf8")) as Docs;
const readModel = async (line: string) => buildModel(await loadLine(line));

/** Every sentence with the path that leads to it. */
const sentences = (docs: object, path = ""): [path: string, text: string][] =>
  Object.entries(docs).flatMap(([key, value]: [string, unknown]) =>
    typeof value === "string"
      ? [[`${path}/${key}`, value] as [string, string]]
      : sentences(value as object, `${path}/${key}`),
  );

/** What the version declares, as paths into docs.json. */
const declared = (model: Model): string[] => [
  ...model.decls.flatMap((decl) => [
    `/types/${decl.name}/doc`,
    ...(decl.kind === "object" ? decl.fields.map((field) => `/types/${decl.name}/fields/${field.name}`) : []),
    ...(decl.kind === "enum" ? decl.values.map(({ value }) => `/types/${decl.name}/values/${value}`) : []),
  ]),
  ...model.methods.map((method) => `/methods/${method.name}`),
  ...model.errors.map((error) => `/errors/${error.reason}`),
  ...(model.form === undefined ? [] : declared(model.form).map((path) => `/form${path}`)),
];

describe.each(lines)("schemas/$line/docs.json", ({ line, release }) => {
  const docs = readDocs(line);
  const texts = sentences(docs);

  it("describes everything the version declares", async () => {
    const known = new Set(texts.map(([path]) => path));
    const { form, ...model } = await readModel(line);
    expect(declared(model).filter((path) => !known.has(path))).toEqual([]);
    expect(form === undefined ? [] : undocumented(form)).toEqual([]);
  });

  it("describes nothing else", async () => {
    const known = new Set(declared(await readModel(line)));
    expect(texts.map(([path]) => path).filter((path) => !known.has(path))).toEqual([]);
  });

  it("keeps to one sentence of at most 160 characters", () => {
    expect(texts.filter(([, text]) => text.length > 160 || text.includes("\n"))).toEqual([]);
    expect(texts.filter(([, text]) => !/^[A-Z`].*\.$/u.test(text) || /[a-z`]\. [A-Z]/u.test(text))).toEqual(
      [],
    );
  });

  it("is sorted, so that a diff shows what changed", () => {
    const sorted = (value: unknown): unknown =>
      typeof value === "object" && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .sort(([a], [b]) => (a < b ? -1 : 1))
              .map(([key, member]) => [key, sorted(member)]),
          )
        : value;
    expect(JSON.stringify(docs.types)).toBe(JSON.stringify(sorted(docs.types)));
    expect(JSON.stringify(docs.methods)).toBe(JSON.stringify(sorted(docs.methods)));
    expect(JSON.stringify(docs.errors)).toBe(JSON.stringify(sorted(docs.errors)));
    expect(JSON.stringify(docs.form?.types)).toBe(JSON.stringify(sorted(docs.form?.types)));
  });

  const folder = officialDir === undefined ? undefined : join(officialDir, `v${release}`);
  const official = folder !== undefined && existsSync(folder) ? officialTexts(folder) : undefined;
  it.skipIf(official === undefined)(
    official === undefined
      ? "uses words of its own (skipped: A2A_OFFICIAL_DIR holds no official files)"
      : "uses words of its own",
    () => {
      const { descriptions = new Set<string>(), everything = "" } = official ?? {};
      const copied = texts.filter(([, text]) => descriptions.has(normalise(text)));
      const overlapping = texts.flatMap(([path, text]) =>
        windows(normalise(text), 8)
          .filter((phrase) => everything.includes(` ${phrase} `))
          .slice(0, 1)
          .map((phrase) => `${path}: ${phrase}`),
      );
      expect(copied).toEqual([]);
      expect(overlapping).toEqual([]);
    },
  );
});

const normalise = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, " ")
    .trim();

const windows = (text: string, size: number): string[] => {
  const words = text.split(" ");
  return words.slice(size - 1).map((_, at) => words.slice(at, at + size).join(" "));
};

/** Every description of the official JSON schema, and the words of the proto beside it. */
function officialTexts(folder: string): { descriptions: Set<string>; everything: string } {
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      if (key === "description" && typeof member === "string") found.push(normalise(member));
      else walk(member);
    }
  };
  walk(JSON.parse(readFileSync(join(folder, "a2a.json"), "utf8")));
  const proto = join(folder, "a2a.proto");
  const everything = [...found, existsSync(proto) ? normalise(readFileSync(proto, "utf8")) : ""].join(" | ");
  return { descriptions: new Set(found), everything: ` ${everything} ` };
}
