import type { JsonValue } from "../ir/types.js";

const width = 110;

/** Compares by code units: the order never depends on a locale. */
export function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** JSON text with two spaces of indentation; what fits in one line of 110 stays in one line. Keys keep their order. */
export function stableJson(value: unknown): string {
  return `${print(value as JsonValue, 0, 0)}\n`;
}

function print(value: JsonValue, indent: number, lead: number): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const flat = printFlat(value);
  if (indent > 0 && indent + lead + flat.length <= width) return flat;
  const pad = " ".repeat(indent + 2);
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map((item) => pad + print(item, indent + 2, 0));
    return items.length === 0 ? "[]" : `[\n${items.join(",\n")}\n${" ".repeat(indent)}]`;
  }
  const members = entriesOf(value).map(([key, member]) => {
    const label = `${JSON.stringify(key)}: `;
    return pad + label + print(member, indent + 2, label.length);
  });
  return members.length === 0 ? "{}" : `{\n${members.join(",\n")}\n${" ".repeat(indent)}}`;
}

function printFlat(value: JsonValue): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(printFlat).join(", ")}]`;
  const members = entriesOf(value).map(([key, member]) => `${JSON.stringify(key)}: ${printFlat(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function entriesOf(value: object): [string, JsonValue][] {
  return Object.entries(value as Record<string, JsonValue | undefined>).filter(
    (entry): entry is [string, JsonValue] => entry[1] !== undefined,
  );
}
