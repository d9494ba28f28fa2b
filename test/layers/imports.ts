import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import ts from "typescript";

/** One import, re-export or dynamic import of a file. */
export interface Import {
  readonly specifier: string;
  /** Repository path of the imported file, for relative imports (`.js` endings as `.ts` where that exists). */
  readonly target: string | undefined;
  /** Erased by the compiler (`import { type A }` is not: it still loads the module). */
  readonly typeOnly: boolean;
  readonly dynamic: boolean;
}

/** Root of the repository. */
export const root = new URL("../..", import.meta.url).pathname;

/** By path and text. */
const cache = new Map<string, Import[]>();

/** Every import of one source file, read from its syntax tree. `file` is a repository path. */
export function importsOf(file: string, text = readFileSync(join(root, file), "utf8")): Import[] {
  const known = cache.get(file + text);
  if (known) return known;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  // Imports in expressions and types are rare: most files need no look below their statements.
  const deep = /\bimport\s*\(/.test(text);
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, typeOnly: boolean, dynamic = false): void => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return;
    const name = specifier.text;
    found.push({ specifier: name, target: resolve(file, name), typeOnly, dynamic });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node))
      add(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false, true);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, true);
    if (deep || node === source) ts.forEachChild(node, visit);
  };
  visit(source);
  cache.set(file + text, found);
  return found;
}

const resolve = (file: string, name: string): string | undefined => {
  if (!name.startsWith(".")) return undefined;
  const path = posix.join(dirname(file), name);
  const source = path.replace(/\.js$/, ".ts");
  return path.startsWith("generated/") && !existsSync(join(root, source)) ? path : source;
};
