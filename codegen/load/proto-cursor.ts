import { InputFault } from "./fault.js";
import type { Token } from "./proto-tokens.js";

/** Reads a list of tokens from front to back. */
export class Cursor {
  private readonly tokens: readonly Token[];
  private readonly file: string;
  private at = 0;

  constructor(tokens: readonly Token[], file: string) {
    this.tokens = tokens;
    this.file = file;
  }

  /** The token `ahead` of the next one, without taking it. */
  peek(ahead = 0): Token {
    const token = this.tokens[this.at + ahead] ?? this.tokens.at(-1);
    if (token === undefined) throw new InputFault("no tokens", this.file);
    return token;
  }

  /** Takes the next token. */
  next(): Token {
    const token = this.peek();
    this.at += 1;
    return token;
  }

  /** True, and taken, where the next token is this symbol or keyword. */
  accept(value: string): boolean {
    const token = this.peek();
    if (token.kind === "text" || token.value !== value) return false;
    this.at += 1;
    return true;
  }

  expect(value: string): void {
    if (!this.accept(value)) this.fail(`expected "${value}", found "${this.peek().value}"`);
  }

  word(): string {
    const token = this.next();
    return token.kind === "word" ? token.value : this.fail(`expected a name, found "${token.value}"`, token);
  }

  integer(): number {
    const token = this.next();
    const value = Number(token.value);
    return token.kind === "number" && Number.isInteger(value)
      ? value
      : this.fail(`expected a whole number, found "${token.value}"`, token);
  }

  text(): string {
    const token = this.next();
    if (token.kind !== "text") this.fail(`expected a string, found "${token.value}"`, token);
    let value = token.value;
    while (this.peek().kind === "text") value += this.next().value;
    return value;
  }

  /** Skips to the end of a statement, over nested blocks. */
  skipStatement(): void {
    for (let depth = 0; ;) {
      const token = this.next();
      if (token.kind === "end") this.fail("the file ends inside a statement", token);
      if (token.kind !== "symbol") continue;
      if (token.value === "{") depth += 1;
      if (token.value === "}") {
        depth -= 1;
        if (depth === 0 && !this.isTrailer()) return;
      }
      if (token.value === ";" && depth === 0) return;
    }
  }

  fail(message: string, token: Token = this.peek()): never {
    throw new InputFault(message, `${this.file}:${String(token.line)}`);
  }

  /** After a block: does the statement go on (`option (x) = { … };`)? */
  private isTrailer(): boolean {
    return this.peek().kind === "symbol" && this.peek().value === ";";
  }
}
