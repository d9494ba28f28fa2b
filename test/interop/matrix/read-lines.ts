import type { Readable } from "node:stream";
import { createInterface } from "node:readline";

/** The lines of a stream that are JSON objects; anything else that a program prints goes to `other`. */
export async function* readLines(stream: Readable, other: (line: string) => void): AsyncGenerator {
  for await (const line of createInterface({ input: stream })) {
    if (line.startsWith("{")) yield JSON.parse(line);
    else if (line !== "") other(line);
  }
}
