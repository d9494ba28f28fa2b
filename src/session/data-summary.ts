import { isRecord } from "./is-record.js";
import { jsonLength } from "./json-length.js";

/** A row of a table, or what is told about one of its columns. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * What the columns of a table hold, one entry per column; the rows themselves where that is shorter. A column whose summary
 * would be longer than its values is `{ name, values }`.
 */
export function summarizeTable(data: readonly Row[]): readonly Row[] {
  const names = [...new Set(data.filter(isRecord).flatMap(Object.keys))];
  const columns = names.map((name) => {
    const values = data.filter((row) => isRecord(row) && Object.hasOwn(row, name)).map((row) => row[name]);
    const summary = summarizeValues(values);
    return isList(summary) ? { name, values: summary } : { ...summary, name };
  });
  return jsonLength(columns) > jsonLength(data) ? data : columns;
}

/** How many values of which types there are, and between which bounds; the values themselves where that is shorter. */
export function summarizeValues(values: readonly unknown[]): Row | readonly unknown[] {
  if (values.length === 0) return { count: 0, types: [] };
  const groups = new Map<string, unknown[]>();
  for (const value of values) {
    const name = typeOf(value);
    const group = groups.get(name);
    if (group) group.push(value);
    else groups.set(name, [value]);
  }
  const types = [...groups]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([name, group]) => ({
      name,
      count: group.length,
      percentage: round((100 * group.length) / values.length, 1),
      sample_value: group[0],
      ...statisticsOf(name, group),
    }));
  const unique = new Set(values.map((value) => canonical(value)));
  const summary = { count: values.length, unique_count: unique.size, types };
  return jsonLength(summary) > jsonLength(values) ? values : summary;
}

const isList = (value: Row | readonly unknown[]): value is readonly unknown[] => Array.isArray(value);

function typeOf(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "list";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "float";
  return typeof value;
}

function statisticsOf(type: string, values: readonly unknown[]): Row {
  if (type === "string")
    return lengths(
      "length",
      values.map((value) => String(value).length),
    );
  if (type === "list")
    return lengths(
      "length",
      values.map((value) => (Array.isArray(value) ? value.length : 0)),
    );
  if (type === "object")
    return lengths(
      "json_length",
      values.map((value) => jsonLength(value)),
    );
  if (type !== "int" && type !== "float") return {};
  const { minimum, maximum, average, stdev } = spread(values.map(Number));
  return { minimum, maximum, average, ...(stdev !== undefined && { stdev }) };
}

function lengths(name: string, values: readonly number[]): Row {
  const { minimum, maximum, average, stdev } = spread(values);
  return {
    [`${name}_minimum`]: minimum,
    [`${name}_maximum`]: maximum,
    [`${name}_average`]: average,
    ...(stdev !== undefined && { [`${name}_stdev`]: stdev }),
  };
}

interface Spread {
  readonly minimum: number;
  readonly maximum: number;
  readonly average: number;
  /** Of a sample; of two values or more. */
  readonly stdev?: number;
}

function spread(values: readonly number[]): Spread {
  let minimum = Infinity;
  let maximum = -Infinity;
  let sum = 0;
  for (const value of values) {
    minimum = Math.min(minimum, value);
    maximum = Math.max(maximum, value);
    sum += value;
  }
  const mean = sum / values.length;
  const squares = values.reduce((total, value) => total + (value - mean) ** 2, 0);
  return {
    minimum,
    maximum,
    average: round(mean, 2),
    ...(values.length > 1 && { stdev: round(Math.sqrt(squares / (values.length - 1)), 2) }),
  };
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits));

/** The same text for the same value, whatever the order of members. */
const canonical = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, member: unknown) =>
    isRecord(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
