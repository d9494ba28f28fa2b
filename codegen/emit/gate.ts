import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Project, ts } from "ts-morph";
import type { Output } from "./output.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The strictest settings; the same as the repository's, but stated here so that no file on disk can loosen them. */
const STRICT: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ["lib.es2023.d.ts", "lib.esnext.disposable.d.ts", "lib.dom.d.ts"],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  allowUnreachableCode: false,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  isolatedModules: true,
  skipLibCheck: true,
  noEmit: true,
};

/**
 * Type-checks emitted modules together with the seam, as if they lay in `generated/`, and throws with the first
 * diagnostics where there are any. Nothing is written.
 */
export function gate(output: Output): void {
  const project = new Project({
    compilerOptions: { ...STRICT, paths: { "a2a-typed/codegen-v1": [join(ROOT, "src/codegen-v1.ts")] } },
    skipAddingFilesFromTsConfig: true,
    skipFileDependencyResolution: true,
  });
  const emitted = [...output]
    .filter(([name]) => name.endsWith(".ts"))
    .map(([name, text]) =>
      project.createSourceFile(join(ROOT, "generated", name), text, { overwrite: true }),
    );
  const program = project.getProgram().compilerObject;
  const found = emitted.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file.compilerNode),
    ...program.getSemanticDiagnostics(file.compilerNode),
  ]);
  if (found.length === 0) return;
  const lines = found.slice(0, 20).map((diagnostic) => {
    const { file, start = 0 } = diagnostic;
    const at =
      file === undefined
        ? ""
        : `${file.fileName.slice(ROOT.length)}:${String(file.getLineAndCharacterOfPosition(start).line + 1)} `;
    return `  ${at}${ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n")}`;
  });
  throw new Error(
    `The emitted code does not type-check (${String(found.length)} diagnostics); nothing was written.\n${lines.join("\n")}`,
  );
}
