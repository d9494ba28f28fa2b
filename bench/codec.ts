/**
 * Time of `decode` against `JSON.parse` of the same text: `npx tsx bench/codec.ts`.
 * A canonical value should cost well under half of what parsing it cost.
 */
import { decode } from "../src/codec/decode.js";
import type { Table } from "../src/descriptor.js";
import * as tables from "../generated/v1.0/tables.js";

interface Case {
  readonly name: string;
  readonly table: Table<unknown>;
  readonly direction: "request" | "reply";
  readonly value: unknown;
}

const sentence = "The quick brown fox jumps over the lazy dog, and then it sleeps. ";
const message = {
  messageId: "0190a3c2-7c1e-7e6a-9d55-0e3b6f6c2a11",
  contextId: "0190a3c2-7c1e-7e6a-9d55-0e3b6f6c2a12",
  role: "ROLE_USER",
  parts: [
    { text: sentence.repeat(6) },
    { url: "https://files.example.com/report.pdf", mediaType: "application/pdf", filename: "report.pdf" },
    {
      data: {
        order: 17,
        lines: [
          { sku: "a-1", count: 2 },
          { sku: "b-2", count: 1 },
        ],
        paid: true,
      },
    },
  ],
  metadata: { trace: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" },
};
const status = { state: "TASK_STATE_WORKING", timestamp: "2025-11-02T10:11:12.345Z" };
const event = {
  artifactUpdate: {
    taskId: message.messageId,
    contextId: message.contextId,
    artifact: { artifactId: "a1", parts: [{ text: "a token " }] },
    append: true,
  },
};
const task = {
  id: message.messageId,
  contextId: message.contextId,
  status,
  artifacts: Array.from({ length: 20 }, (_, index) => ({
    artifactId: `artifact-${String(index)}`,
    name: "Report",
    parts: [{ text: sentence }, { data: [1, 2, 3, { a: null }] }],
  })),
  history: [message, { ...message, role: "ROLE_AGENT" }],
};
const cases: readonly Case[] = [
  {
    name: "SendMessageRequest, 1 kB",
    table: tables.SendMessageRequest,
    direction: "request",
    value: { message, configuration: { acceptedOutputModes: ["text/plain"], historyLength: 10 } },
  },
  {
    name: "SendMessageRequest, small",
    table: tables.SendMessageRequest,
    direction: "request",
    value: { message: { messageId: "m1", role: "ROLE_USER", parts: [{ text: "hi" }] } },
  },
  { name: "StreamResponse, chunk", table: tables.StreamResponse, direction: "reply", value: event },
  { name: "GetTaskRequest", table: tables.GetTaskRequest, direction: "request", value: { id: "t1" } },
  { name: "Task, 6 kB", table: tables.Task, direction: "reply", value: task },
];

/** Processor nanoseconds of one call of each, by turns; the best rounds, so that a busy machine hardly shows. */
function times(runs: readonly (() => unknown)[]): readonly number[] {
  const count = 1000;
  const best = runs.map(() => Infinity);
  for (let round = 0; round < 200; round++) {
    runs.forEach((run, which) => {
      const start = process.cpuUsage();
      for (let index = 0; index < count; index++) run();
      const { user, system } = process.cpuUsage(start);
      if (round > 20) best[which] = Math.min(best[which] ?? 0, ((user + system) * 1000) / count);
    });
  }
  return best;
}

for (const { name, table, direction, value } of cases) {
  const text = JSON.stringify(value);
  const parsed: unknown = JSON.parse(text);
  if (decode(table, parsed, { direction }) !== parsed) throw new Error(`${name}: the value is not canonical`);
  const [parse = 0, read = 0, both = 0] = times([
    () => JSON.parse(text) as unknown,
    () => decode(table, parsed, { direction }),
    () => decode(table, JSON.parse(text) as unknown, { direction }),
  ]);
  console.log(
    `${name.padEnd(26)} ${String(text.length).padStart(5)} B  parse ${parse.toFixed(0).padStart(6)} ns  ` +
      `decode ${read.toFixed(0).padStart(6)} ns (${(read / parse).toFixed(2)}×)  both ${(both / parse).toFixed(2)}×`,
  );
}
