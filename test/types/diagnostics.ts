import { readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const root = new URL("../..", import.meta.url).pathname;
const fixtures = new URL("fixtures", import.meta.url).pathname;

/** One compiler error of a fixture. */
export interface Diagnostic {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly code: number;
  readonly message: string;
}

/** What a fixture says must fail: `// error TS2322: why`, on the line before. */
export interface Expectation {
  readonly file: string;
  readonly line: number;
  readonly code: number;
  readonly why: string;
}

/** Compiles every fixture in one program with the options of the repository; returns what fails and what should. */
export function compileFixtures(): {
  diagnostics: Diagnostic[];
  expectations: Expectation[];
  files: string[];
} {
  const { config, error } = ts.readConfigFile(join(root, "tsconfig.json"), (path) => ts.sys.readFile(path));
  if (error) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, "\n"));
  const { options } = ts.parseJsonConfigFileContent(
    { ...config, include: [], exclude: [], files: ["src/descriptor.ts"] },
    ts.sys,
    root,
  );
  const files = readdirSync(fixtures).filter((name) => name.endsWith(".ts"));
  // Unused names are the style of a fixture; every other check stays on.
  const program = ts.createProgram(
    files.map((name) => join(fixtures, name)),
    { ...options, noUnusedLocals: false, noUnusedParameters: false, skipLibCheck: true },
  );
  const sources = files.flatMap((name) => program.getSourceFile(join(fixtures, name)) ?? []);
  return {
    files,
    diagnostics: sources.flatMap((source) =>
      [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((one) => ({
        file: nameOf(source),
        line: source.getLineAndCharacterOfPosition(one.start ?? 0).line + 1,
        code: one.code,
        message: ts.flattenDiagnosticMessageText(one.messageText, "\n"),
      })),
    ),
    expectations: sources.flatMap((source) =>
      source.text.split("\n").flatMap((text, index) => {
        const match = /^\s*\/\/ error TS(\d+): (.+)$/.exec(text);
        return match
          ? [{ file: nameOf(source), line: index + 2, code: Number(match[1]), why: match[2] ?? "" }]
          : [];
      }),
    ),
  };
}

const nameOf = (source: ts.SourceFile): string => source.fileName.slice(fixtures.length + 1);
