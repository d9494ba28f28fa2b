import { format as prettier } from "prettier";

/** Pinned here, so that no configuration on disk can change the output. */
const OPTIONS = { printWidth: 110, singleQuote: false, trailingComma: "all", endOfLine: "lf" } as const;

/** Formats emitted text by the ending of its name. Validators are left as ajv wrote them. */
export async function format(name: string, text: string): Promise<string> {
  if (name.endsWith(".ts")) return prettier(text, { ...OPTIONS, parser: "typescript", filepath: name });
  if (name.endsWith(".md")) return prettier(text, { ...OPTIONS, parser: "markdown" });
  return text.endsWith("\n") ? text : `${text}\n`;
}
