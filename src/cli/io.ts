/** What a command may touch of the outside: streams of text, and the signal of Ctrl-C. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
  /** All of standard input. */
  stdin(): Promise<string>;
  readonly signal: AbortSignal;
}
