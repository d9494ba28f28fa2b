import type { Scope, TaskHead } from "../types.js";
import type { Row } from "./load-driver.js";

/** A column of text. */
export function text(row: Row, name: string): string {
  const value = row[name];
  if (typeof value !== "string") throw new TypeError(`column ${name} is no text`);
  return value;
}

/** A column of text that may be null. */
export const maybeText = (row: Row, name: string): string | undefined =>
  row[name] === null ? undefined : text(row, name);

/** A number: a column that was cast to `float8` or `integer`. */
export function number(row: Row, name: string): number {
  const value = row[name];
  if (typeof value !== "number") throw new TypeError(`column ${name} is no number`);
  return value;
}

/** A name in full: JSON of it where its key does not tell it. */
export function nameIn(row: Row, name: string, key: string): string {
  const json = maybeText(row, name);
  return json === undefined ? text(row, key) : String(JSON.parse(json));
}

/** Whose a task is and its id, in full: JSON in `names` where a key does not tell one of them. */
export function placeOf(row: Row): { readonly scope: Scope; readonly taskId: string } {
  const names = maybeText(row, "names");
  const parts: unknown = names === undefined ? undefined : JSON.parse(names);
  const part = (i: number, column: string): string => {
    const found: unknown = Array.isArray(parts) ? parts[i] : undefined;
    return typeof found === "string" ? found : text(row, column);
  };
  return { scope: { tenant: part(0, "tenant"), owner: part(1, "owner") }, taskId: part(2, "id") };
}

/** The head in a row of a task. */
export const headOf = (row: Row): TaskHead => ({
  contextId: nameIn(row, "context_name", "context_id"),
  state: text(row, "state"),
  timestamp: text(row, "ts"),
  terminal: row["terminal"] === true,
});
