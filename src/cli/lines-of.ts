import { createInterface } from "node:readline";

/** The lines of a stream, as they come; `return()` stops reading, so that the stream no longer keeps the process alive. */
export function linesOf(input: NodeJS.ReadableStream): AsyncIterator<string, unknown, undefined> {
  // The terminal itself lets lines be edited, so that what is printed meanwhile stays whole.
  const reader = createInterface({ input, crlfDelay: Infinity, terminal: false });
  const lines = reader[Symbol.asyncIterator]();
  return {
    next: () => lines.next(),
    return: async () => {
      reader.close();
      return (await lines.return?.()) ?? { done: true, value: undefined };
    },
  };
}
