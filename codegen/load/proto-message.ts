import type { Cursor } from "./proto-cursor.js";
import type { ProtoEnum, ProtoField, ProtoMessage } from "./proto-facts.js";
import { bracketOptions, optionName, optionValue } from "./proto-options.js";

/** Reads one message after its keyword; nested declarations go into the same lists under dotted names. */
export function parseMessage(
  cursor: Cursor,
  outer: string,
  messages: ProtoMessage[],
  enums: ProtoEnum[],
): void {
  const name = outer + cursor.word();
  const fields: ProtoField[] = [];
  const at = messages.push({ name, fields }) - 1;
  cursor.expect("{");
  while (!cursor.accept("}")) {
    if (cursor.accept("message")) parseMessage(cursor, `${name}.`, messages, enums);
    else if (cursor.accept("enum")) enums.push(parseEnum(cursor, `${name}.`));
    else if (cursor.accept("oneof")) fields.push(...parseOneof(cursor));
    else if (cursor.accept("option")) {
      if (isDeprecated(statementOption(cursor))) messages[at] = { name, deprecated: true, fields };
    } else if (["reserved", "extensions", "extend"].includes(cursor.peek().value)) cursor.skipStatement();
    else if (!cursor.accept(";")) fields.push(parseField(cursor));
  }
}

/** Reads one enum after its keyword. */
export function parseEnum(cursor: Cursor, outer: string): ProtoEnum {
  const name = outer + cursor.word();
  const values: { name: string; number: number }[] = [];
  cursor.expect("{");
  while (!cursor.accept("}")) {
    if (cursor.peek().value === "option" || cursor.peek().value === "reserved") {
      cursor.skipStatement();
      continue;
    }
    if (cursor.accept(";")) continue;
    const value = cursor.word();
    cursor.expect("=");
    values.push({ name: value, number: cursor.integer() });
    bracketOptions(cursor);
    cursor.expect(";");
  }
  return { name, values };
}

/** Takes `(name) = value;` after the `option` keyword. */
export function statementOption(
  cursor: Cursor,
): readonly [name: string, value: ReturnType<typeof optionValue>] {
  const entry = [optionName(cursor), optionValue(cursor)] as const;
  cursor.expect(";");
  return entry;
}

function parseOneof(cursor: Cursor): ProtoField[] {
  const oneof = cursor.word();
  const members: ProtoField[] = [];
  cursor.expect("{");
  while (!cursor.accept("}")) {
    if (cursor.accept("option")) statementOption(cursor);
    else if (!cursor.accept(";")) members.push({ ...parseField(cursor), oneof });
  }
  return members;
}

function parseField(cursor: Cursor): ProtoField {
  const label = cursor.accept("optional") ? "optional" : cursor.accept("repeated") ? "repeated" : undefined;
  cursor.accept(".");
  const keyword = cursor.word();
  const map = keyword === "map" && cursor.accept("<") ? mapTypes(cursor) : undefined;
  const name = cursor.word();
  cursor.expect("=");
  const number = cursor.integer();
  const options = bracketOptions(cursor);
  cursor.expect(";");
  const jsonName = options.find(([option]) => option === "json_name")?.[1];
  const required = options.some(
    ([option, value]) => option === "google.api.field_behavior" && value === "REQUIRED",
  );
  return {
    name,
    json: typeof jsonName === "string" ? jsonName : jsonNameOf(name),
    number,
    type: map?.value ?? keyword,
    ...(map === undefined ? (label === undefined ? {} : { label }) : { label: "map", key: map.key }),
    ...(required ? { required: true } : {}),
    ...(options.some(isDeprecated) ? { deprecated: true } : {}),
  };
}

function mapTypes(cursor: Cursor): { key: string; value: string } {
  const key = cursor.word();
  cursor.expect(",");
  cursor.accept(".");
  const value = cursor.word();
  cursor.expect(">");
  return { key, value };
}

/** The JSON name that protobuf derives: `_x` becomes `X`. */
export function jsonNameOf(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** True for `deprecated = true`. */
export function isDeprecated([name, value]: readonly [string, unknown]): boolean {
  return name === "deprecated" && value === "true";
}
