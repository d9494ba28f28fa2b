import type { ServerName } from "./build-servers.js";
import type { BenchCase } from "./cases.js";
import type { Sample } from "./measure.js";

/** Samples of a case by server, one per round and in the order of the rounds. */
export type CaseSamples = Partial<Record<ServerName, Sample[]>>;

/** Everything a run measured. */
export interface BenchResult {
  readonly node: string;
  readonly cpus: string;
  readonly rounds: number;
  readonly cases: Record<string, CaseSamples>;
}

/** The value that the given share (0–1) of the values is below; between two values, in proportion. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(at)] ?? NaN, sorted[Math.ceil(at)] ?? NaN];
  return below + (above - below) * (at - Math.floor(at));
}

/** Middle value; the mean of the two middle ones for an even count. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Median over the rounds of `pick(a) / pick(b)`, each pair from one round: drift of the machine cancels out. */
export function pairedRatio(
  a: readonly Sample[] | undefined,
  b: readonly Sample[] | undefined,
  pick: (sample: Sample) => number,
): number | undefined {
  if (a === undefined || b === undefined) return undefined;
  const pairs = a.flatMap((sample, round) => {
    const other = b[round];
    return other === undefined ? [] : [pick(sample) / pick(other)];
  });
  return pairs.length === 0 ? undefined : median(pairs);
}

const cpu = (sample: Sample): number => sample.cpu;
const rate = (sample: Sample): number => sample.rate;

/** A claim about the figures, and whether they bear it out; undefined where a needed case was not run. */
export interface Verdict {
  readonly claim: string;
  readonly figure: number;
  readonly holds: boolean;
}

/** Checks the targets that the project has set itself. */
export function verdicts({ cases }: BenchResult): Verdict[] {
  const found: (Verdict | undefined)[] = Object.entries(cases)
    .filter(([name]) => name.startsWith("SendMessage") || name.startsWith("GetTask"))
    .map(([name, samples]) =>
      atMost(
        `${name}: server CPU against the official SDK`,
        pairedRatio(samples.ours, samples.official, cpu),
        1 / 3,
      ),
    );
  const thousand = cases["Stream of 1000"];
  const fourThousand = cases["Stream of 4000"];
  const speed = pairedRatio(thousand?.ours, thousand?.official, rate);
  if (speed !== undefined) {
    found.push({
      claim: "Stream of 1000: events per second against the official SDK, at least 100",
      figure: speed,
      holds: speed >= 100,
    });
  }
  found.push(
    atMost(
      "CPU per event at 4,000 chunks against 1,000",
      pairedRatio(fourThousand?.ours, thousand?.ours, cpu),
      1.2,
    ),
  );
  return found.filter((verdict) => verdict !== undefined);
}

const atMost = (claim: string, figure: number | undefined, limit: number): Verdict | undefined =>
  figure === undefined
    ? undefined
    : { claim: `${claim}, at most ${limit.toFixed(2)}`, figure, holds: figure <= limit };

const figure = (value: number): string =>
  value < 20 ? value.toFixed(1) : Math.round(value).toLocaleString("en-US");

/** The figures as a Markdown table. */
export function table(cases: readonly BenchCase[], { cases: samples }: BenchResult): string {
  const head = [
    "| Case | unit | raw CPU µs | ours CPU µs | official CPU µs | ours ÷ official | ours ÷ raw | raw /s | ours /s | official /s |",
    "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|",
  ];
  const rows = cases.flatMap(({ name, unit }) => {
    const of = samples[name];
    if (of === undefined) return [];
    const middle = (server: ServerName, pick: (sample: Sample) => number): string =>
      of[server] === undefined ? "–" : figure(median(of[server].map(pick)));
    const ratio = (b: ServerName): string => pairedRatio(of.ours, of[b], cpu)?.toPrecision(2) ?? "–";
    const cells = [
      name,
      unit,
      ...(["raw", "ours", "official"] as const).map((server) => middle(server, cpu)),
      ratio("official"),
      ratio("raw"),
      ...(["raw", "ours", "official"] as const).map((server) => middle(server, rate)),
    ];
    return [`| ${cells.join(" | ")} |`];
  });
  return [...head, ...rows].join("\n");
}
