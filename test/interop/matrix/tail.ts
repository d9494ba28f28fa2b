import type { Readable } from "node:stream";

/** The last lines of what a program prints, for the report of a failure. */
export function tailOf(stream: Readable | null, lines = 6): () => string {
  let text = "";
  stream?.setEncoding("utf8").on("data", (chunk: string) => {
    text = (text + chunk).slice(-8_192);
  });
  return () => text.trim().split("\n").slice(-lines).join("\n");
}
