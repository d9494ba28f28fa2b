import { byName } from "../load/stable-json.js";
import {
  Project,
  StructureKind,
  VariableDeclarationKind,
  type StatementStructures,
  type WriterFunction,
} from "ts-morph";

/** A constant to emit. Every text is code, already quoted. */
export interface Constant {
  readonly name: string;
  readonly type?: string;
  readonly value: string;
  readonly doc?: string;
  /** Default true. */
  readonly exported?: boolean;
}

/** A module under construction: it owns the imports and the names, so emitters cannot clash or forget one. */
export interface EmitFile {
  /** Reserves a name for a declaration of this module; call it before any `use`. */
  declare(name: string): string;
  /** A free local name: `wish`, or `wish_` where a declaration has it. */
  local(wish: string): string;
  /** The local name of an import, aliased where a declaration has its name. */
  use(module: string, name: string, kind?: "type" | "value"): string;
  /** The local name of a namespace import. */
  useAll(module: string, name: string, kind?: "type" | "value"): string;
  constant(constant: Constant): void;
  typeAlias(name: string, type: string, doc?: string): void;
  /** Statements that another tool wrote. */
  raw(text: string): void;
  /** The whole module, unformatted. */
  text(header: string): string;
}

const blankLine: WriterFunction = (writer) => writer.blankLineIfLastNot();

let printer: Project | undefined;

/** An empty module. */
export function createFile(): EmitFile {
  const taken = new Set<string>();
  const named = new Map<string, { module: string; name: string; local: string; kind: "type" | "value" }>();
  const spaces = new Map<string, { module: string; local: string; kind: "type" | "value" }>();
  const statements: (StatementStructures | string)[] = [];

  const local = (wish: string): string => {
    let name = wish;
    while (taken.has(name)) name += "_";
    taken.add(name);
    return name;
  };
  const docs = (doc: string | undefined): { docs?: string[] } =>
    doc === undefined || doc === "" ? {} : { docs: [doc.includes("\n") ? `\n${doc}` : doc] };

  return {
    declare(name) {
      if (taken.has(name)) throw new Error(`The name ${name} is declared twice in one module.`);
      taken.add(name);
      return name;
    },
    local,
    use(module, name, kind = "type") {
      const id = `${module} ${name} ${kind}`;
      const known = named.get(id) ?? { module, name, local: local(name), kind };
      named.set(id, known);
      return known.local;
    },
    useAll(module, name, kind = "type") {
      const known = spaces.get(module) ?? { module, local: local(name), kind };
      spaces.set(module, known);
      return known.local;
    },
    constant({ name, type, value, doc, exported = true }) {
      statements.push({
        kind: StructureKind.VariableStatement,
        isExported: exported,
        declarationKind: VariableDeclarationKind.Const,
        declarations: [{ name, initializer: value, ...(type === undefined ? {} : { type }) }],
        ...docs(doc),
      });
    },
    typeAlias(name, type, doc) {
      statements.push({ kind: StructureKind.TypeAlias, isExported: true, name, type, ...docs(doc) });
    },
    raw(text) {
      statements.push(text.trim());
    },
    text(header) {
      printer ??= new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
      const used = [...named.values()].sort((a, b) => byName(a.name, b.name));
      const heads = new Map(used.map((item) => [`${item.module} ${item.kind}`, item]));
      const imports = [
        ...[...heads.values()].map(({ module, kind }): StatementStructures => ({
          kind: StructureKind.ImportDeclaration,
          isTypeOnly: kind === "type",
          moduleSpecifier: module,
          namedImports: used
            .filter((item) => item.module === module && item.kind === kind)
            .map((item) => ({ name: item.name, ...(item.local === item.name ? {} : { alias: item.local }) })),
        })),
        ...[...spaces.values()].map((space): StatementStructures => ({
          kind: StructureKind.ImportDeclaration,
          isTypeOnly: space.kind === "type",
          moduleSpecifier: space.module,
          namespaceImport: space.local,
        })),
      ].sort((a, b) => byName(moduleOf(a), moduleOf(b)));
      const file = printer.createSourceFile(
        "emitted.ts",
        { statements: [...imports, ...statements.flatMap((statement) => [blankLine, statement])] },
        { overwrite: true },
      );
      return `${header}${file.getFullText()}`;
    },
  };
}

const moduleOf = (statement: StatementStructures): string =>
  statement.kind === StructureKind.ImportDeclaration ? statement.moduleSpecifier : "";
