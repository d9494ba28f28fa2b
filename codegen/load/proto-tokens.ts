import { InputFault } from "./fault.js";

/** One token of a `.proto` file. */
export interface Token {
  readonly kind: "word" | "number" | "text" | "symbol" | "end";
  readonly value: string;
  readonly line: number;
}

const pattern =
  /(?<space>\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<word>[A-Za-z_][\w.]*)|(?<number>[+-]?(?:0[xX][\da-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?))|(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<symbol>[{}[\]()<>=;:,.\-/])/y;

/** Splits a `.proto` file into tokens; spaces and comments are dropped. */
export function tokenize(text: string, file: string): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  pattern.lastIndex = 0;
  while (pattern.lastIndex < text.length) {
    const start = pattern.lastIndex;
    const groups = pattern.exec(text)?.groups;
    if (groups === undefined)
      throw new InputFault(`unexpected character ${JSON.stringify(text[start])}`, `${file}:${String(line)}`);
    const lexeme = text.slice(start, pattern.lastIndex);
    if (groups["word"] !== undefined) tokens.push({ kind: "word", value: lexeme, line });
    else if (groups["number"] !== undefined) tokens.push({ kind: "number", value: lexeme, line });
    else if (groups["text"] !== undefined) tokens.push({ kind: "text", value: unquote(lexeme), line });
    else if (groups["symbol"] !== undefined) tokens.push({ kind: "symbol", value: lexeme, line });
    line += lexeme.split("\n").length - 1;
  }
  tokens.push({ kind: "end", value: "end of file", line });
  return tokens;
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

function unquote(lexeme: string): string {
  return lexeme.slice(1, -1).replace(/\\(.)/g, (_, c: string) => escapes[c] ?? c);
}
