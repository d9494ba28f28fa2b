import { existsSync, readFileSync } from "node:fs";
import ts from "typescript";

const CALLS = new Set([
  "describe",
  "it",
  "test",
  "each",
  "for",
  "skipIf",
  "runIf",
  "concurrent",
  "sequential",
]);

/** Titles of the tests and groups of a file as they are written; undefined where there is no such file. */
export function titlesOf(path: string): readonly string[] | undefined {
  if (!existsSync(path)) return undefined;
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const [title] = node.arguments;
      if (title !== undefined && isTestCall(node.expression)) titles.push(textOf(title, source));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

/** `it`, `it.each(…)`, `describe.skipIf(…)`. */
function isTestCall(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return CALLS.has(callee.text);
  if (ts.isPropertyAccessExpression(callee))
    return CALLS.has(callee.name.text) && isTestCall(callee.expression);
  return ts.isCallExpression(callee) && isTestCall(callee.expression);
}

const textOf = (node: ts.Expression, source: ts.SourceFile): string =>
  ts.isStringLiteralLike(node) ? node.text : node.getText(source);
