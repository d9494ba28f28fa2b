import type { Cursor } from "./proto-cursor.js";

/** The value of an option: a scalar as text, or a block in text format (repeated keys are listed). */
export type OptionValue = string | OptionBlock;
/** An option in text format, by key. */
export interface OptionBlock {
  readonly [key: string]: readonly OptionValue[];
}

/** `(google.api.http)` or `deprecated` → its name without brackets. */
export function optionName(cursor: Cursor): string {
  let name = "";
  while (cursor.peek().value !== "=" && cursor.peek().kind !== "end") {
    const token = cursor.next();
    if (token.value !== "(" && token.value !== ")") name += token.value;
  }
  cursor.expect("=");
  return name;
}

/** What stands after `=`. */
export function optionValue(cursor: Cursor): OptionValue {
  if (cursor.accept("{")) return block(cursor);
  return cursor.peek().kind === "text" ? cursor.text() : cursor.next().value;
}

/** `[a = 1, (b) = C]` → its entries; nothing where there is no bracket. */
export function bracketOptions(cursor: Cursor): readonly (readonly [name: string, value: OptionValue])[] {
  const entries: (readonly [string, OptionValue])[] = [];
  if (!cursor.accept("[")) return entries;
  do entries.push([optionName(cursor), optionValue(cursor)]);
  while (cursor.accept(","));
  cursor.expect("]");
  return entries;
}

function block(cursor: Cursor): OptionBlock {
  const members: Record<string, OptionValue[]> = {};
  while (!cursor.accept("}")) {
    const key = cursor.word();
    const colon = cursor.accept(":");
    if (!colon && cursor.peek().value !== "{") cursor.fail(`expected ":" after "${key}"`);
    (members[key] ??= []).push(optionValue(cursor));
    if (!cursor.accept(",")) cursor.accept(";");
  }
  return members;
}
