/** What a command may touch of the outside: streams of text, and the signal of Ctrl-C. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
  /** All of standard input. */
  stdin(): Promise<string>;
  /** Standard input line by line, as the lines come; `return()` stops reading. */
  lines(): AsyncIterator<string, unknown, undefined>;
  /**
   * Asks `listener` first at each Ctrl-C: where it says true, that was all, else `signal` is aborted. Returns what takes the
   * listener away.
   */
  onInterrupt(listener: () => boolean): () => void;
  readonly signal: AbortSignal;
  /** Whether a person watches: standard error is a terminal, and takes prompts and a progress line. */
  readonly tty: boolean;
  /** Shows how long it takes from now on, where a person watches; returns what ends that. */
  busy?(): () => void;
}
