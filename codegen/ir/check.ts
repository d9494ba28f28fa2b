import { step } from "../load/dialects/raw.js";
import type { Decl, Field, Model, Type } from "./types.js";
import { visitDecl, visitType } from "./visit.js";

/** What is wrong with a model: open references, doubled names, tags that are not constants. Empty when it is closed. */
export function checkModel(model: Model): string[] {
  const decls = new Map(model.decls.map((decl) => [decl.name, decl]));
  const problems = [
    ...doubles(
      "type",
      model.decls.map((decl) => decl.name),
    ),
    ...doubles(
      "method",
      model.methods.map((method) => method.key),
    ),
    ...doubles(
      "error",
      model.errors.map((error) => error.reason),
    ),
    ...doubles(
      "error code",
      model.errors.map((error) => String(error.code)),
    ),
  ];
  const see = (where: string) => (type: Type) => {
    if (type.kind === "ref" && !decls.has(type.name))
      problems.push(`${where} refers to ${type.name}, which does not exist`);
    if (type.kind === "union") problems.push(...checkUnion(where, type, decls));
  };
  for (const decl of model.decls) {
    problems.push(...checkName(decl));
    visitDecl(decl, see(decl.name));
    problems.push(...checkDecl(decl));
  }
  problems.push(...aliasCycles(decls));
  for (const method of model.methods) {
    visitType(method.input, see(`input of ${method.name}`));
    visitType(method.output, see(`output of ${method.name}`));
    for (const reason of method.errors) {
      if (!model.errors.some((error) => error.reason === reason))
        problems.push(`${method.name} names the error ${reason}, which does not exist`);
    }
    if (method.jsonrpc === undefined && method.rest.length === 0 && method.grpc === undefined)
      problems.push(`${method.name} has no binding`);
  }
  for (const root of [...model.roots, model.service.card.type]) {
    if (!decls.has(root)) problems.push(`the root ${root} does not exist`);
  }
  return problems;
}

/** Names that the generated modules use: their own exports, and what they need of TypeScript and the runtime. */
const TAKEN: readonly string[] = [
  ...["A2A", "A2AErrorReason", "InterruptedState", "TerminalState"],
  ...["Object", "Record", "Reflect"],
];

/** A declaration keeps its name as a type, as constants and in `isName`; small first letters are for helpers and keywords. */
function checkName({ name, pointer }: Decl): string[] {
  const isNamed = /^[A-Z]\w*$/.test(name);
  if (isNamed && !TAKEN.includes(name)) return [];
  const what = isNamed
    ? `the type ${name} has a name that the generated modules use themselves`
    : `"${name}" is no name for a type: it must be a capital letter, then letters, digits and _`;
  const inline = pointer !== step("#/definitions", name);
  return [
    `${pointer}: ${what} (${inline ? "name it under names in overlay.json" : "rename it in the schema"})`,
  ];
}

function doubles(what: string, names: readonly string[]): string[] {
  return names
    .filter((name, i) => names.indexOf(name) !== i)
    .map((name) => `the ${what} ${name} exists twice`);
}

function checkDecl(decl: Decl): string[] {
  if (decl.kind === "enum") {
    return [
      ...doubles(
        `value of ${decl.name}`,
        decl.values.map(({ value }) => value),
      ),
      ...doubles(
        `key of ${decl.name}`,
        decl.values.map(({ key }) => key),
      ),
    ];
  }
  if (decl.kind === "alias") return [];
  const spellings = decl.fields.flatMap((field) => [field.name, ...field.aliases, ...field.legacy]);
  const grouped = decl.oneofs.flatMap(({ members }) => members);
  return [
    ...doubles(`spelling of a field of ${decl.name}`, spellings),
    ...doubles(
      `field number of ${decl.name}`,
      decl.fields.flatMap(({ number }) => (number === undefined ? [] : [String(number)])),
    ),
    ...grouped
      .filter((name) => decl.fields.find((field) => field.name === name)?.required === true)
      .map((name) => `${decl.name}.${name} is required and one of a group`),
    ...decl.fields
      .filter((field) => field.blank !== "value" && !isString(field))
      .map(({ name }) => `${decl.name}.${name} has a rule for blanks but is not a string`),
  ];
}

/** Names that lead back to themselves through other names only: such a type has no values. */
function aliasCycles(decls: ReadonlyMap<string, Decl>): string[] {
  const targetOf = (name: string): string | undefined => {
    const decl = decls.get(name);
    return decl?.kind === "alias" && decl.type.kind === "ref" ? decl.type.name : undefined;
  };
  return [...decls.keys()].flatMap((name) => {
    const seen = new Set<string>();
    let at = targetOf(name);
    while (at !== undefined && at !== name && !seen.has(at)) {
      seen.add(at);
      at = targetOf(at);
    }
    return at === name ? [`the type ${name} is only another name of itself`] : [];
  });
}

function isString(field: Field): boolean {
  return field.type.kind === "scalar" && field.type.name === "string";
}

function checkUnion(
  where: string,
  union: Extract<Type, { kind: "union" }>,
  decls: ReadonlyMap<string, Decl>,
): string[] {
  const { discrimination } = union;
  if (discrimination.by !== "tag") return [];
  return [
    ...doubles(
      `tag value in ${where}`,
      discrimination.variants.map(({ value }) => value),
    ),
    ...discrimination.variants.flatMap(({ value, type }) => {
      const decl = type.kind === "ref" ? decls.get(type.name) : undefined;
      const field =
        decl?.kind === "object" ? decl.fields.find(({ name }) => name === discrimination.tag) : undefined;
      return field?.type.kind === "literal" && String(field.type.value) === value
        ? []
        : [`${where}: the variant ${value} has no constant ${discrimination.tag}`];
    }),
  ];
}
