import { byName } from "../load/stable-json.js";
import type { Decl, Field, Method, Model, Type } from "../ir/types.js";
import { createBuilders, type Builders } from "./builders.js";
import { key, literal, object, quote } from "./code.js";
import { dependencyOrder, resolveAlias } from "./order.js";
import { createFile, type EmitFile } from "./file.js";
import { header } from "./header.js";
import { LIST, MAP, MESSAGE, OBJECT, ONE_OF } from "./rule-builders.js";
import type { Target } from "./target.js";
import { typeText } from "./type-text.js";

/** A rule as code. `late`: it names a table that is declared further down, so it may only stand behind a getter. */
interface Rule {
  readonly code: string;
  readonly late: boolean;
}

/** What the rules of one module share. */
interface Scope {
  readonly file: EmitFile;
  readonly target: Target;
  readonly decls: ReadonlyMap<string, Decl>;
  readonly done: Set<string>;
  /** Local names of shared scalar rules, by their code. */
  readonly scalars: Map<string, string>;
  readonly builders: Builders;
}

/** `tables.ts`: one decoding rule per declaration, dependencies first. */
export function emitTables(model: Model, target: Target): string {
  const file = createFile();
  const decls = new Map(
    [...model.decls].sort((a, b) => byName(a.name, b.name)).map((decl) => [decl.name, decl]),
  );
  const builders = createBuilders(file, target.seam);
  const scope: Scope = { file, target, decls, done: new Set(), scalars: new Map(), builders };
  for (const name of decls.keys()) file.declare(name);
  const inline = model.methods.flatMap((method) => inlineTypes(method));
  for (const { name } of inline) file.declare(name);
  for (const { code } of SHARED) scope.scalars.set(code, "");

  const tables = dependencyOrder(decls).map((decl) => () => emitDecl(decl, scope));
  const bodies = [...tables, ...inline.map((item) => () => emitInline(item, scope))].map((emit) => emit());
  for (const shared of SHARED) {
    const name = scope.scalars.get(shared.code) ?? "";
    if (name !== "")
      file.constant({ name, type: file.use(target.seam, shared.type), value: shared.code, exported: false });
  }
  builders.declare();
  for (const body of bodies) file.constant(body);
  return file.text(header(model, target));
}

/** Name of the table constant of a method's input or output: its declaration's, or one of its own for a bare union. */
export function methodTable(method: Method, side: "input" | "output"): string {
  const type = method[side];
  return type.kind === "ref" ? type.name : `${method.name}${side === "input" ? "Input" : "Output"}`;
}

const inlineTypes = (method: Method): { name: string; type: Type }[] =>
  (["input", "output"] as const)
    .filter((side) => method[side].kind !== "ref")
    .map((side) => ({ name: methodTable(method, side), type: method[side] }));

type Body = Parameters<EmitFile["constant"]>[0];

function emitInline({ name, type }: { name: string; type: Type }, scope: Scope): Body {
  return { name, type: tableType(type, scope), value: rule(type, name, scope).code };
}

const tableType = (type: Type, { file, target }: Scope): string => {
  const table = file.use(target.seam, "Table");
  const text = typeText(
    type,
    (name) => `${file.useAll("./types.js", "T")}.${name}`,
    (name) => file.use(target.seam, name),
  );
  return `${table}<${text}>`;
};

function emitDecl(decl: Decl, scope: Scope): Body {
  const type = tableType({ kind: "ref", name: decl.name }, scope);
  const body = ((): Body => {
    switch (decl.kind) {
      case "enum":
        return {
          name: decl.name,
          type: `${scope.file.use(scope.target.seam, "EnumRule")} & ${type}`,
          value: enumRule(decl),
        };
      case "alias":
        return { name: decl.name, type, value: rule(decl.type, decl.name, scope).code };
      case "object":
        return { name: decl.name, type, value: objectRule(decl, scope) };
    }
  })();
  scope.done.add(decl.name);
  return body;
}

function enumRule(decl: Extract<Decl, { kind: "enum" }>): string {
  const numbers = decl.values.flatMap((value) => (value.number === undefined ? [] : [value.number]));
  const legacy = decl.values.flatMap((value) => value.legacy.map((other) => [other, value.value] as const));
  return object([
    ["is", quote("enum")],
    ["values", literal(decl.values.map((value) => value.value))],
    ["numbers", numbers.length === decl.values.length ? literal(numbers) : undefined],
    ["legacy", record(legacy)],
  ]);
}

function objectRule(decl: Extract<Decl, { kind: "object" }>, scope: Scope): string {
  // The decoder derives the names of protobuf by itself.
  const derived = (other: string, name: string): boolean => decl.proto && other === snakeCase(name);
  const spelled = (of: "aliases" | "legacy") =>
    decl.fields.flatMap(({ name, [of]: others }) =>
      others.filter((other) => !derived(other, name)).map((other) => [other, name] as const),
    );
  const rules = decl.fields.map((field) => ({
    field,
    ...fieldRule(field, `${decl.name}.${field.name}`, scope),
  }));
  const code = (fields: typeof rules): string => {
    const lines = fields.map(({ field, ...rule }) => property(field.name, rule));
    return lines.length === 0 ? "{}" : `{ ${lines.join(", ")} }`;
  };
  const required = rules.filter(({ field }) => field.required);
  const more = [
    ...member("aliases", record(spelled("aliases"))),
    ...member("legacy", record(spelled("legacy"))),
  ];
  const [group] = decl.oneofs;
  if (
    decl.proto &&
    decl.oneofs.length === 1 &&
    group?.required &&
    required.length + more.length === 0 &&
    !rules.some(({ late }) => late)
  ) {
    const isMember = ({ field }: (typeof rules)[number]): boolean => group.members.includes(field.name);
    const others = rules.filter((rule) => !isMember(rule));
    const members = rules.filter(isMember);
    return scope.builders.call(ONE_OF, code(members), ...(others.length > 0 ? [code(others)] : []));
  }
  if (decl.oneofs.length > 0)
    more.push(
      `oneofs: ${literal(decl.oneofs.map(({ members, required: must }) => ({ members, required: must })))}`,
    );
  // A getter must not be read before all tables are there, so such fields are not taken apart.
  if (rules.some(({ late }) => late)) {
    const names = required.map(({ field }) => field.name);
    return `{ ${[
      `is: "object"`,
      ...(decl.proto ? ["proto: true"] : []),
      `fields: ${code(rules)}`,
      ...(names.length > 0 ? [`required: ${literal(names)}`] : []),
      ...more,
    ].join(", ")} }`;
  }
  const others = rules.filter(({ field }) => !field.required);
  const args = [
    code(required),
    ...(others.length + more.length > 0 ? [code(others)] : []),
    ...(more.length > 0 ? [`{ ${more.join(", ")} }`] : []),
  ];
  return scope.builders.call(decl.proto ? MESSAGE : OBJECT, ...args);
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const member = (name: string, code: string | undefined): string[] =>
  code === undefined ? [] : [`${name}: ${code}`];

const record = (pairs: readonly (readonly [string, string])[]): string | undefined =>
  pairs.length === 0 ? undefined : object(pairs.map(([from, to]) => [from, quote(to)] as const));

const property = (name: string, { code, late }: Rule): string =>
  late ? `get ${key(name)}() { return ${code}; }` : `${key(name)}: ${code}`;

function fieldRule(field: Field, where: string, scope: Scope): Rule {
  const { type, blank } = field;
  if (type.kind === "scalar" && type.name === "string" && blank !== "value")
    return shared(`{ is: "string", blank: ${quote(blank)} }`, scope);
  return rule(type, where, scope);
}

/** The rule of a type; `where` names it in messages. */
function rule(type: Type, where: string, scope: Scope): Rule {
  switch (type.kind) {
    case "scalar":
      return shared(`{ is: ${quote(type.name)} }`, scope);
    case "literal":
      return now(`{ is: "literal", value: ${literal(type.value)} }`);
    case "ref": {
      const name = resolveAlias(type.name, scope.decls);
      return { code: name, late: !scope.done.has(name) };
    }
    case "array": {
      const of = rule(type.of, where, scope);
      if (type.min === undefined && !of.late) return now(scope.builders.call(LIST, of.code));
      const min = type.min === undefined ? "" : `, min: ${String(type.min)}`;
      return now(`{ is: "list", ${property("of", of)}${min} }`);
    }
    case "map": {
      const of = rule(type.of, where, scope);
      return now(of.late ? `{ is: "map", ${property("of", of)} }` : scope.builders.call(MAP, of.code));
    }
    case "union":
      return now(unionRule(type, where, scope));
  }
}

const now = (code: string): Rule => ({ code, late: false });

function unionRule(type: Extract<Type, { kind: "union" }>, where: string, scope: Scope): string {
  const how = type.discrimination;
  const otherwise = (rest: Type | undefined): string[] =>
    rest === undefined ? [] : [property("otherwise", rule(rest, where, scope))];
  switch (how.by) {
    case "tag": {
      const variants = how.variants.map(({ value, type: of }) => property(value, rule(of, where, scope)));
      return `{ ${[`is: "tagged"`, `tag: ${quote(how.tag)}`, `variants: { ${variants.join(", ")} }`, ...otherwise(how.otherwise)].join(", ")} }`;
    }
    case "presence": {
      const variants = how.variants.map(({ member: name, type: of }) => {
        const { code, late } = rule(of, where, scope);
        return { code: `[${quote(name)}, ${code}]`, late };
      });
      return `{ ${[`is: "choice"`, property("variants", list(variants)), ...(how.exclusive ? ["exclusive: true"] : []), ...otherwise(how.otherwise)].join(", ")} }`;
    }
    case "order":
      return `{ is: "anyOf", ${property("of", list(type.of.map((of) => rule(of, where, scope))))} }`;
  }
}

/** An array literal; one late element makes the whole late. */
const list = (rules: readonly Rule[]): Rule => ({
  code: `[${rules.map(({ code }) => code).join(", ")}]`,
  late: rules.some(({ late }) => late),
});

/** Scalar rules that are written once per module, with the names they get. */
const SHARED = [
  { code: `{ is: "string" }`, name: "str", type: "StringRule" },
  { code: `{ is: "string", blank: "refused" }`, name: "filled", type: "StringRule" },
  { code: `{ is: "string", blank: "absent" }`, name: "blankable", type: "StringRule" },
  { code: `{ is: "boolean" }`, name: "bool", type: "ScalarRule" },
  { code: `{ is: "int32" }`, name: "int32", type: "ScalarRule" },
  { code: `{ is: "int64" }`, name: "int64", type: "ScalarRule" },
  { code: `{ is: "integer" }`, name: "integer", type: "ScalarRule" },
  { code: `{ is: "number" }`, name: "num", type: "ScalarRule" },
  { code: `{ is: "bytes" }`, name: "bytes", type: "ScalarRule" },
  { code: `{ is: "timestamp" }`, name: "timestamp", type: "ScalarRule" },
  { code: `{ is: "json" }`, name: "json", type: "ScalarRule" },
  { code: `{ is: "struct" }`, name: "struct", type: "ScalarRule" },
  { code: `{ is: "null" }`, name: "nil", type: "ScalarRule" },
] as const;

function shared(code: string, scope: Scope): Rule {
  const known = scope.scalars.get(code);
  if (known !== undefined && known !== "") return now(known);
  const entry = SHARED.find((candidate) => candidate.code === code);
  if (entry === undefined) return now(code);
  const name = scope.file.local(entry.name);
  scope.scalars.set(code, name);
  return now(name);
}
