/**
 * Time of `convert` against `JSON.parse` of the same text: `npx tsx bench/convert.ts`. With `--check`, exit code 1 where a
 * message costs more than 3 times what parsing it cost.
 */
import { convert } from "../src/convert.js";

const LIMIT = 3;

const sentence = "The quick brown fox jumps over the lazy dog, and then it sleeps. ";
const ids = {
  messageId: "0190a3c2-7c1e-7e6a-9d55-0e3b6f6c2a11",
  contextId: "0190a3c2-7c1e-7e6a-9d55-0e3b6f6c2a12",
  metadata: { trace: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" },
};
const order = {
  order: 17,
  lines: [
    { sku: "a-1", count: 2 },
    { sku: "b-2", count: 1 },
  ],
  paid: true,
};
const message = {
  ...ids,
  role: "ROLE_USER",
  parts: [
    { text: sentence.repeat(6) },
    { url: "https://files.example.com/report.pdf", mediaType: "application/pdf", filename: "report.pdf" },
    { data: order },
  ],
};
const legacy = {
  kind: "message",
  ...ids,
  role: "user",
  parts: [
    { kind: "text", text: sentence.repeat(6) },
    {
      kind: "file",
      file: {
        uri: "https://files.example.com/report.pdf",
        mimeType: "application/pdf",
        name: "report.pdf",
      },
    },
    { kind: "data", data: order },
  ],
};
const tokens = {
  ...message,
  parts: Array.from({ length: 24 }, (_, index) => ({ text: `token ${String(index)} ` })),
};

interface Case {
  readonly name: string;
  readonly value: unknown;
  readonly from: string;
  readonly to: string;
  /** Whether the limit holds for it. */
  readonly bound: boolean;
}

const cases: readonly Case[] = [
  { name: "1.0 → 0.3, 1 kB", value: message, from: "1.0", to: "0.3", bound: true },
  { name: "0.3 → 1.0, 1 kB", value: legacy, from: "0.3", to: "1.0", bound: true },
  { name: "1.0 → 0.2, 1 kB", value: message, from: "1.0", to: "0.2", bound: true },
  { name: "0.2 → 1.0, 1 kB", value: legacy, from: "0.2", to: "1.0", bound: true },
  { name: "1.0 → 0.3, 1 kB of small parts", value: tokens, from: "1.0", to: "0.3", bound: true },
];

/** Processor nanoseconds of one call of each, by turns; the best rounds, so that a busy machine hardly shows. */
function times(runs: readonly (() => unknown)[]): readonly number[] {
  const count = 1000;
  const best = runs.map(() => Infinity);
  for (let round = 0; round < 200; round++) {
    runs.forEach((run, which) => {
      const start = process.cpuUsage();
      for (let i = 0; i < count; i++) run();
      const { user, system } = process.cpuUsage(start);
      const each = ((user + system) * 1000) / count;
      if (each < (best[which] ?? Infinity)) best[which] = each;
    });
  }
  return best;
}

let held = true;
for (const { name, value, from, to, bound } of cases) {
  const text = JSON.stringify(value);
  const parsed: unknown = JSON.parse(text);
  const [parse = NaN, converted = NaN] = times([
    () => JSON.parse(text) as unknown,
    () => convert("Message", parsed, { from, to }),
  ]);
  const ratio = converted / parse;
  const verdict = !bound ? "    " : ratio <= LIMIT ? "ok  " : "MISS";
  if (bound && ratio > LIMIT) held = false;
  console.log(
    `${verdict} ${name.padEnd(32)} ${String(text.length).padStart(5)} B   parse ${parse.toFixed(0).padStart(6)} ns   convert ${converted.toFixed(0).padStart(6)} ns   ${ratio.toFixed(2)}`,
  );
}
if (process.argv.includes("--check") && !held) process.exitCode = 1;
