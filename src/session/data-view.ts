import { A2AError } from "../errors.js";
import { DEFAULT_LIMIT } from "./artifact-settings.js";
import { grouped } from "./grouped.js";
import { isRecord } from "./is-record.js";
import { jsonLength } from "./json-length.js";

/** Which part of data to view. */
export interface DataViewOptions {
  /** Names of members, one inside of the other, with dots between: `results.items`. */
  readonly jsonPath?: string | null | undefined;
  /** An index, a list of them, `"2-5"` (from 2, up to 5 and without it) or `"all"`; from the end where negative. */
  readonly rows?: number | readonly number[] | string | null | undefined;
  /** A name, a list of them, or `"all"`; of a list of objects only. */
  readonly columns?: string | readonly string[] | null | undefined;
  /** Most that may come out, as indented JSON; default 50,000. */
  readonly characterLimit?: number | undefined;
}

/**
 * A part of data. Throws `INVALID_PARAMS` where what is asked for is not there, and where more than the limit would come
 * out.
 */
export function viewData(data: unknown, options: DataViewOptions = {}): unknown {
  const { characterLimit = DEFAULT_LIMIT } = options;
  const selected = select(at(data, options.jsonPath ?? ""), options);
  const length = jsonLength(selected, 2);
  if (length <= characterLimit) return selected;
  throw refusal(
    `The selected data has ${grouped(length)} characters, more than the limit of ${grouped(characterLimit)}: select a jsonPath, fewer rows or fewer columns`,
  );
}

/** A member by its path. A name that has dots itself is found too. */
function at(data: unknown, path: string): unknown {
  if (path === "") return data;
  if (!isRecord(data)) {
    throw refusal(
      `There is no ${path} in ${kindOf(data)}${Array.isArray(data) ? ": use rows and columns" : ""}`,
    );
  }
  if (Object.hasOwn(data, path)) return data[path];
  for (let dot = path.lastIndexOf("."); dot > 0; dot = path.lastIndexOf(".", dot - 1)) {
    const name = path.slice(0, dot);
    if (Object.hasOwn(data, name)) return at(data[name], path.slice(dot + 1));
  }
  throw refusal(`There is no ${path}; there are ${Object.keys(data).join(", ") || "no members at all"}`);
}

function select(data: unknown, options: DataViewOptions): unknown {
  const rows = options.rows ?? undefined;
  const columns = options.columns ?? undefined;
  if (rows === undefined && columns === undefined) return data;
  if (!Array.isArray(data)) {
    throw refusal(`rows and columns are of lists, and this is ${kindOf(data)}: give the jsonPath of a list`);
  }
  const list: readonly unknown[] = data;
  const chosen = rowsOf(rows ?? "all", list.length).map((index) => list[index]);
  if (columns === undefined) return chosen;
  const names = [...new Set(list.filter(isRecord).flatMap(Object.keys))];
  if (names.length === 0)
    throw refusal("columns are of lists of objects, and this list has none: use rows alone");
  const wanted = columnsOf(columns, names);
  return chosen.map((row) =>
    isRecord(row)
      ? Object.fromEntries(wanted.filter((name) => Object.hasOwn(row, name)).map((name) => [name, row[name]]))
      : row,
  );
}

function rowsOf(rows: number | readonly number[] | string, total: number): readonly number[] {
  if (rows === "all") return [...Array(total).keys()];
  if (typeof rows === "number") return [rowOf(rows, total)];
  if (typeof rows !== "string") return rows.map((row) => rowOf(row, total));
  if (/^-?\d+$/.test(rows)) return [rowOf(Number(rows), total)];
  const [, from, to] = /^(\d+)-(\d*)$/.exec(rows) ?? [];
  if (from === undefined) {
    throw refusal(`rows: ${JSON.stringify(rows)} is no index, no range like "0-10" and not "all"`);
  }
  const start = Number(from);
  const end = to === "" || to === undefined ? total : Number(to);
  if (start > end || start > total || end > total) {
    throw refusal(`rows: there is no range ${rows}: the list has ${total} rows, numbered from 0`);
  }
  return Array.from({ length: end - start }, (_, index) => start + index);
}

function rowOf(row: number, total: number): number {
  const index = row < 0 ? total + row : row;
  if (Number.isInteger(index) && index >= 0 && index < total) return index;
  throw refusal(`rows: there is no row ${row}: the list has ${total} rows, numbered from 0`);
}

function columnsOf(columns: string | readonly string[], names: readonly string[]): readonly string[] {
  if (columns === "all") return names;
  const wanted = typeof columns === "string" ? [columns] : columns;
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown === undefined) return wanted;
  throw refusal(`columns: there is no ${unknown}; there are ${names.join(", ")}`);
}

const kindOf = (data: unknown): string =>
  data === null
    ? "null"
    : Array.isArray(data)
      ? "a list"
      : typeof data === "object"
        ? "an object"
        : `a ${typeof data}`;

const refusal = (message: string): A2AError => new A2AError("INVALID_PARAMS", message);
