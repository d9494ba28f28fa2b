import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { emitRuntime } from "../../codegen/emit/runtime.js";
import { EXTERNAL } from "../../codegen/emit/target.js";
import { emitValidators, emitValidatorTypes } from "../../codegen/emit/validators.js";
import type { Decl } from "../../codegen/ir/types.js";
import {
  alias,
  array,
  field,
  literal,
  modelOf,
  objectOf,
  present,
  ref,
  scalar,
  string,
  tagged,
} from "./fixture.js";

type Guard = ((value: unknown) => boolean) & {
  errors: { instancePath: string; keyword: string; message: string }[] | null;
};

const folder = mkdtempSync(join(tmpdir(), "validators-"));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

/** The guard of the first declaration, from the emitted code. */
async function guardOf(first: Decl, ...others: Decl[]): Promise<Guard> {
  const model = modelOf([first, ...others], { roots: [first.name] });
  const path = join(folder, `validators${String(count++)}.mjs`);
  for (const [name, text] of emitRuntime()) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(path, emitValidators(model, EXTERNAL));
  const module = (await import(pathToFileURL(path).href)) as Record<string, Guard>;
  const guard = module[`is${first.name}`];
  if (guard === undefined) throw new Error("no guard");
  return guard;
}

const errorsOf = (guard: Guard, value: unknown): string[] => {
  guard(value);
  return (guard.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
};

describe("validators", () => {
  it("tell what is missing, with one error", async () => {
    const guard = await guardOf(objectOf("A", [field("id", string, { required: true, blank: "refused" })]));
    expect(guard({ id: "1", extra: true })).toBe(true);
    expect(guard.errors).toBeNull();
    expect(errorsOf(guard, {})).toEqual([": must have required property 'id'"]);
    expect(errorsOf(guard, { id: "" })).toEqual(["/id: must NOT have fewer than 1 characters"]);
  });

  it("look at the tag first, so a wrong part is one error and not one per form", async () => {
    const text = objectOf("Text", [
      field("kind", literal("text"), { required: true }),
      field("text", string, { required: true }),
    ]);
    const data = objectOf("Data", [
      field("kind", literal("data"), { required: true }),
      field("data", scalar("struct"), { required: true }),
    ]);
    const part = alias("Part", tagged("kind", { text: ref("Text"), data: ref("Data") }));
    const guard = await guardOf(
      objectOf("Message", [field("parts", array(ref("Part"), 1))]),
      part,
      text,
      data,
    );
    expect(guard({ parts: [{ kind: "text", text: "hi" }] })).toBe(true);
    expect(errorsOf(guard, { parts: [{ kind: "text" }] })).toEqual([
      "/parts/0: must have required property 'text'",
    ]);
    expect(errorsOf(guard, { parts: [{ kind: "sound" }] })).toEqual([
      '/parts/0: value of tag "kind" must be in oneOf',
    ]);
  });

  it("tell forms apart by a number too", async () => {
    const error = (name: string, code: number) =>
      objectOf(name, [field("code", literal(code), { required: true })]);
    const any = alias("AnyError", tagged("code", { "-1": ref("One"), "-2": ref("Two") }));
    const guard = await guardOf(any, error("One", -1), error("Two", -2));
    expect(guard({ code: -2 })).toBe(true);
    expect(guard({ code: -3 })).toBe(false);
    expect(guard({ code: "-2" })).toBe(false);
  });

  it("count the members of a oneof, with one error", async () => {
    const guard = await guardOf(
      objectOf("Part", [field("text", string), field("data", scalar("json"))], {
        oneofs: [{ name: "content", members: ["text", "data"], required: true }],
      }),
    );
    expect(guard({ data: null })).toBe(true);
    expect(errorsOf(guard, {})).toEqual([": must have exactly one of text, data"]);
    expect(errorsOf(guard, { text: "a", data: 1 })).toEqual([": must have exactly one of text, data"]);
  });

  it("tell forms apart by the member that is there", async () => {
    const bytes = objectOf("Bytes", [field("bytes", scalar("bytes"), { required: true })]);
    const uri = objectOf("Uri", [field("uri", string, { required: true })]);
    const guard = await guardOf(alias("File", present({ bytes: ref("Bytes"), uri: ref("Uri") })), bytes, uri);
    expect(guard({ bytes: "aGk=" })).toBe(true);
    expect(guard({ uri: "https://example.com" })).toBe(true);
    expect(errorsOf(guard, { bytes: "aGk=", uri: "https://example.com" })).toEqual([
      ": must have at most one of bytes, uri",
    ]);
    expect(errorsOf(guard, { bytes: 5 })[0]).toBe("/bytes: must be string");
    expect(guard({})).toBe(false);
  });

  it("end on a value that holds itself by way of a cycle in the types", async () => {
    const guard = await guardOf(objectOf("Node", [field("kids", array(ref("Node")))]));
    expect(guard({ kids: [{ kids: [] }] })).toBe(true);
    expect(errorsOf(guard, { kids: [{ kids: [1] }] })).toEqual(["/kids/0/kids/0: must be object"]);
  });

  it("contain nothing that loads or makes code, and the patterns of unused ones can be dropped", () => {
    const model = modelOf(
      [objectOf("A", [field("id", string, { blank: "refused" }), field("at", scalar("timestamp"))])],
      { roots: ["A"] },
    );
    const code = emitValidators(model, EXTERNAL);
    expect(code).not.toMatch(/\brequire\s*\(|\beval\s*\(|\bnew Function\b/);
    expect(code).toContain('from "./runtime.js"');
    expect(code).toContain("= /* @__PURE__ */ new RegExp(");
  });

  it("are declared as guards of the types", () => {
    const model = modelOf([objectOf("A", [field("b", ref("B"))]), objectOf("B", []), objectOf("C", [])], {
      roots: ["A"],
    });
    const types = emitValidatorTypes(model, EXTERNAL);
    expect(types).toContain("export declare const isA: Guard<A>;");
    expect(types).toContain("export declare const isB: Guard<B>;");
    expect(types).not.toContain("isC");
  });
});
