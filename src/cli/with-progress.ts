import type { Io } from "./io.js";

/** How long nothing must have been printed until the progress line shows, in ms. */
const QUIET_MS = 2_000;

const CLEAR = "\r\u001b[K";

/** The same with a progress line on standard error while it is busy and nothing is printed; as it is without a terminal. */
export function withProgress(io: Io): Io {
  if (!io.tty) return io;
  let shown = false;
  let lineStart = true;
  let last = 0;
  const clear = (): void => {
    if (shown) io.err(CLEAR);
    shown = false;
  };
  const printed = (text: string): void => {
    last = Date.now();
    if (text !== "") lineStart = text.endsWith("\n");
  };
  const { signal, tty } = io;
  return {
    signal,
    tty,
    stdin: () => io.stdin(),
    lines: () => io.lines(),
    onInterrupt: (listener) => io.onInterrupt(listener),
    out(text) {
      clear();
      io.out(text);
      printed(text);
    },
    err(text) {
      clear();
      io.err(text);
      printed(text);
    },
    busy() {
      const begun = Date.now();
      last = begun;
      // Where a prompt was the last, whoever answered it ended its line.
      lineStart = true;
      const timer = setInterval(() => {
        // Half a line of text is left alone: the agent is about to go on with it.
        if (!lineStart || Date.now() - last < QUIET_MS) return;
        io.err(`${CLEAR}waiting for ${Math.round((Date.now() - begun) / 1000)} s`);
        shown = true;
      }, 500);
      timer.unref();
      return () => {
        clearInterval(timer);
        clear();
      };
    },
  };
}
