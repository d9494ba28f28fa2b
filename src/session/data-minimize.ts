import { DEFAULT_LIMIT, DEFAULT_STRING_LENGTH } from "./artifact-settings.js";
import { summarizeTable, summarizeValues } from "./data-summary.js";
import { grouped } from "./grouped.js";
import { isRecord } from "./is-record.js";
import { jsonLength } from "./json-length.js";
import { TextArtifacts } from "./text-artifacts.js";
import { headOf } from "./text-edges.js";

/** How to minimize data. */
export interface DataMinimizeOptions {
  /** Data of at most this length, as indented JSON, stays as it is; default 50,000. */
  readonly characterLimit?: number | undefined;
  /** Longest text inside of an object; default 5,000. */
  readonly minimizedObjectStringLength?: number | undefined;
  /** What to do about it, for the reader; default none. */
  readonly tip?: string | null | undefined;
}

/** Deepest level of an object that is looked at. */
const MAX_DEPTH = 10;

/**
 * Data as `{ data }`, whole within the limit; else a table or list as its summary, an object with its long texts cut and its
 * lists summarized, and a text as its two ends. What would not get shorter stays as it is.
 */
export function minimizeData(
  data: unknown,
  options: DataMinimizeOptions = {},
): Readonly<Record<string, unknown>> {
  const {
    characterLimit = DEFAULT_LIMIT,
    minimizedObjectStringLength = DEFAULT_STRING_LENGTH,
    tip,
  } = options;
  const length = typeof data === "string" ? data.length : pretty(data);
  if (length <= characterLimit) return { data };
  if (typeof data === "string") return { ...TextArtifacts.minimize(data, { characterLimit, tip }) };
  if (!isFilled(data)) return { data };
  const minimized = Array.isArray(data)
    ? summaryOf(data)
    : Object.fromEntries(
        Object.entries(data).map(([name, value]) => [
          name,
          minimizeValue(value, name, 1, minimizedObjectStringLength),
        ]),
      );
  const result = { data: typeof tip === "string" ? { ...minimized, _tip: tip } : minimized };
  return pretty(result) > length ? { data } : result;
}

const isFilled = (data: unknown): data is Readonly<Record<string, unknown>> | readonly unknown[] =>
  Array.isArray(data) ? data.length > 0 : isRecord(data);

function minimizeValue(value: unknown, path: string, depth: number, stringLength: number): unknown {
  if (depth > MAX_DEPTH) return "...";
  if (typeof value === "string") {
    if (value.length <= stringLength) return value;
    const head = headOf(value, stringLength);
    return `${head}... [${grouped(value.length - head.length)} more chars]`;
  }
  if (isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        minimizeValue(member, `${path}.${name}`, depth + 1, stringLength),
      ]),
    );
  }
  if (!Array.isArray(value) || value.length === 0) return value;
  const summary = { ...summaryOf(value), _json_path: path };
  return jsonLength(summary) > jsonLength(value) ? value : summary;
}

function summaryOf(list: readonly unknown[]): Readonly<Record<string, unknown>> {
  return list.every(isRecord)
    ? { _total_rows: list.length, _columns: summarizeTable(list) }
    : { _total_items: list.length, _summary: summarizeValues(list) };
}

const pretty = (value: unknown): number => jsonLength(value, 2);
