import { middleOf } from "./ratio.js";
import type { BenchResults } from "./results.js";
import { barChart, lineChart, type Series } from "./svg.js";

const looks = {
  raw: { name: "raw node:http", color: "#888888" },
  ours: { name: "a2a-typed", color: "#1f77b4" },
  sqlite: { name: "with SQLite", color: "#17a2b8" },
  official: { name: "official SDK", color: "#d9534f" },
} as const;
type Subject = keyof typeof looks;

const isMeasured = ([, y]: readonly [number, number]): boolean => !Number.isNaN(y);

/** The two plots of the document, by the names of their files. */
export function plotsOf(results: BenchResults): Record<string, string> {
  return { "cost-per-event.svg": costPerEvent(results), "throughput.svg": throughput(results) };
}

function costPerEvent({ cases }: BenchResults): string {
  const lengths = cases.flatMap((result) => {
    const chunks = /^Stream of ([\d,]+)$/.exec(result.name)?.[1]?.replaceAll(",", "");
    return chunks === undefined ? [] : [{ chunks: Number(chunks), result }];
  });
  const of = (subject: Subject): Series => ({
    ...looks[subject],
    points: lengths
      .filter(({ result }) => result.subjects.includes(subject))
      .map(({ chunks, result }) => [chunks, middleOf(result, subject)] as const)
      .filter(isMeasured),
  });
  const series = (["raw", "ours", "sqlite", "official"] as const).map(of);
  return lineChart(
    { title: "Cost of a streamed event", unit: "server CPU µs", series },
    "chunks in the stream",
  );
}

function throughput({ cases }: BenchResults): string {
  const loads = cases.filter(({ name }) => /^(SendMessage|GetTask) 1\.0 .* 32 connections$/.test(name));
  const groups = loads.map(({ name }) => name.replace(/ 1\.0 /, ", ").replace(/, 32 connections$/, ""));
  const of = (subject: Subject): Series => ({
    ...looks[subject],
    points: loads
      .map((result, group) => [group, middleOf(result, subject, "rate")] as const)
      .filter(isMeasured),
  });
  const series = (["raw", "ours", "official"] as const).map(of);
  return barChart({ title: "Throughput at 32 connections", unit: "requests per second", series }, groups);
}
