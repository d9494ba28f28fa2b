import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { text } from "node:stream/consumers";
import type { Sample } from "./samples.js";

/** What the other implementation makes of a sample. */
export type Answer = { readonly bytes: string; readonly same: boolean } | { readonly error: string };

/** Asks Google's implementation, over the official proto file. */
export async function officialAnswers(
  python: string,
  proto: string,
  samples: readonly Sample[],
): Promise<readonly Answer[]> {
  const program = fileURLToPath(new URL("official.py", import.meta.url));
  const child = spawn(python, ["-B", program, proto], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(samples.map((sample) => `${JSON.stringify(sample)}\n`).join(""));
  const [answers] = await Promise.all([text(child.stdout), once(child, "close")]);
  const lines = answers.split("\n").filter((line) => line !== "");
  if (lines.length !== samples.length)
    throw new Error(`${String(samples.length)} samples, ${String(lines.length)} answers of official.py`);
  return lines.map((line) => JSON.parse(line) as Answer);
}
