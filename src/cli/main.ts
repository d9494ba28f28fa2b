#!/usr/bin/env node
import { text } from "node:stream/consumers";
import { runCli } from "./run.js";

const interrupt = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupt.abort());
// A reader that went away (`a2a-typed list … | head -1`) is no failure.
process.stdout.on("error", () => process.exit(0));

process.exitCode = await runCli(process.argv.slice(2), {
  out: (chunk) => void process.stdout.write(chunk),
  err: (chunk) => void process.stderr.write(chunk),
  stdin: () => text(process.stdin),
  signal: interrupt.signal,
});
