import { A2AError } from "../../errors.js";

/**
 * Rows as a model names them: `0`, `0-10` (10 is included), `0,2,5-7` or `all`. A range may lead past the end. Throws
 * `INVALID_PARAMS` for anything else.
 */
export function rowSelection(rows: string, total: number): readonly number[] | "all" {
  if (rows.trim() === "all") return "all";
  return rows.split(",").flatMap((piece) => {
    const [, from, to] = /^\s*(-?\d+)(?:\s*-\s*(\d+))?\s*$/.exec(piece) ?? [];
    if (from === undefined) {
      throw new A2AError(
        "INVALID_PARAMS",
        `rows: ${JSON.stringify(piece)} is no row: give "0", "0-10", "0,2,5" or "all"`,
      );
    }
    const first = Number(from);
    if (to === undefined) return [first];
    const last = Math.min(Number(to), total - 1);
    if (first < 0 || first > last) {
      throw new A2AError(
        "INVALID_PARAMS",
        `rows: there is no range ${piece.trim()}: the list has ${total} rows, from 0`,
      );
    }
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/** Columns as a model names them: `name`, `name,age` or `all`. */
export function columnSelection(columns: string): readonly string[] | "all" {
  return columns.trim() === "all" ? "all" : columns.split(",").map((column) => column.trim());
}
