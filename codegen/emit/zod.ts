import { byName } from "../load/stable-json.js";
import { PATTERNS } from "../ir/json-schema.js";
import type { Decl, Field, Model, Type } from "../ir/types.js";
import { key, literal, quote } from "./code.js";
import { docOf } from "./docs.js";
import { createFile, type EmitFile } from "./file.js";
import { header } from "./header.js";
import { dependencyOrder, resolveAlias } from "./order.js";
import type { Target } from "./target.js";
import { fill } from "./templates.js";

interface Scope {
  readonly file: EmitFile;
  readonly decls: ReadonlyMap<string, Decl>;
  readonly done: Set<string>;
  readonly z: string;
}

/** `zod.ts`: one zod 4 schema per declaration, dependencies first; `z.lazy` only within a real cycle. */
export function emitZod(model: Model, target: Target): string {
  const file = createFile();
  const decls = new Map(
    [...model.decls].sort((a, b) => byName(a.name, b.name)).map((decl) => [decl.name, decl]),
  );
  for (const name of decls.keys()) file.declare(name);
  const z = file.use("zod", "z", "value");
  const types = file.useAll("./types.js", "T");
  const scope: Scope = { file, decls, done: new Set(), z };
  const bodies = dependencyOrder(decls).map((decl) => {
    const value = declCode(decl, scope);
    scope.done.add(decl.name);
    return {
      name: decl.name,
      type: `${z}.ZodType<${types}.${decl.name}>`,
      value: `typed(${value})`,
      doc: docOf({ ...(decl.doc === undefined ? {} : { doc: decl.doc }) }),
    };
  });
  const text = bodies.map(({ value }) => value).join("\n");
  const uses = (helper: string): boolean => text.includes(`${helper}(`);
  file.raw(fill("zod", { z, groups: uses("members"), tagged: uses("tagged"), choices: uses("choice") }));
  for (const body of bodies) file.constant(body);
  return file.text(header(model, target));
}

function declCode(decl: Decl, scope: Scope): string {
  const { z } = scope;
  switch (decl.kind) {
    case "enum":
      return `${z}.enum(${literal(decl.values.map(({ value }) => value))})`;
    case "alias":
      return code(decl.type, scope);
    case "object": {
      const fields = decl.fields.map((field) => `${key(field.name)}: ${fieldCode(field, scope)}`);
      const groups = decl.oneofs.map(
        ({ members, required }) => `.superRefine(members(${literal(members)}, ${required ? "1" : "0"}))`,
      );
      return `${z}.looseObject({ ${fields.join(", ")} })${groups.join("")}`;
    }
  }
}

function fieldCode(field: Field, scope: Scope): string {
  const blank = field.blank === "refused" ? ".min(1)" : "";
  return `${code(field.type, scope)}${blank}${field.required ? "" : ".optional()"}`;
}

function code(type: Type, scope: Scope): string {
  const { z } = scope;
  switch (type.kind) {
    case "scalar":
      return `${z}.${SCALARS[type.name].replaceAll("Z.", `${z}.`)}`;
    case "literal":
      return `${z}.literal(${literal(type.value)})`;
    case "ref": {
      const name = resolveAlias(type.name, scope.decls);
      return scope.done.has(name) ? name : `${z}.lazy(() => ${name})`;
    }
    case "array":
      return `${z}.array(${code(type.of, scope)})${type.min === undefined ? "" : `.min(${type.min})`}`;
    case "map":
      return `${z}.record(${z}.string(), ${code(type.of, scope)})`;
    case "union":
      return unionCode(type, scope);
  }
}

function unionCode({ of, discrimination }: Extract<Type, { kind: "union" }>, scope: Scope): string {
  const { z } = scope;
  const union = (types: readonly Type[]): string =>
    `${z}.union([${types.map((type) => code(type, scope)).join(", ")}])`;
  switch (discrimination.by) {
    case "order":
      return union(of);
    case "tag": {
      const variants = discrimination.variants.map(({ type }) => type);
      return discrimination.otherwise === undefined
        ? `tagged(${quote(discrimination.tag)}, [${variants.map((type) => code(type, scope)).join(", ")}])`
        : union([...variants, discrimination.otherwise]);
    }
    case "presence": {
      const { variants, exclusive, otherwise } = discrimination;
      const forms = variants.map(({ member, type }) => `[${quote(member)}, ${code(type, scope)}]`);
      const rest = otherwise === undefined ? "" : `, ${code(otherwise, scope)}`;
      const names = literal(variants.map(({ member }) => member));
      return `choice([${forms.join(", ")}]${rest})${exclusive ? `.superRefine(members(${names}, 0))` : ""}`;
    }
  }
}

const regex = (pattern: string): string => `string().regex(/${pattern}/)`;

const SCALARS = {
  string: "string()",
  boolean: "boolean()",
  int32: "int32()",
  int64: regex(PATTERNS.int64),
  integer: "int()",
  number: "number()",
  bytes: regex(PATTERNS.bytes),
  timestamp: regex(PATTERNS.timestamp),
  json: "json()",
  struct: "record(Z.string(), Z.json())",
  null: "null()",
} as const;
