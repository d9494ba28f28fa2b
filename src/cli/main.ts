#!/usr/bin/env node
import { text } from "node:stream/consumers";
import { interrupts } from "./interrupts.js";
import { linesOf } from "./lines-of.js";
import { runCli } from "./run.js";

const { signal, onInterrupt } = interrupts(process);
// A reader that went away (`a2a-typed list … | head -1`) is no failure.
process.stdout.on("error", () => process.exit(0));

process.exitCode = await runCli(process.argv.slice(2), {
  out: (chunk) => void process.stdout.write(chunk),
  err: (chunk) => void process.stderr.write(chunk),
  stdin: () => text(process.stdin),
  lines: () => linesOf(process.stdin),
  onInterrupt,
  signal,
  tty: process.stderr.isTTY,
});
