import type { ObjectRule, Rule, Table } from "../descriptor.js";
import { A2AError } from "../errors.js";
import { fieldsOf } from "./object.js";

/**
 * A query string as a plain object under canonical names, ready for `decode` (`A2A-11.5-c`, `-d`): both spellings of a
 * name are read, lists may be repeated or joined by commas. Names that the table does not know are ignored.
 * Throws `INVALID_PARAMS` where a name that is no list occurs twice, or a boolean is not `true` or `false`.
 */
export function fromQuery<T>(
  table: Table<T>,
  query: Iterable<readonly [name: string, value: string]>,
): Record<string, unknown> {
  const fields = fieldsOf(objectRule(table));
  const given = new Map<string, { readonly rule: Rule; readonly values: string[] }>();
  for (const [spelling, value] of query) {
    const field = fields.get(spelling);
    if (field === undefined) continue;
    const { name, rule } = field;
    const before = given.get(name);
    if (before === undefined) given.set(name, { rule, values: [value] });
    else before.values.push(value);
  }
  const result: Record<string, unknown> = {};
  for (const [name, { rule, values }] of given) result[name] = valueOf(rule, name, values);
  return result;
}

/**
 * A value as a query string without the `?` (`A2A-11.5-f`): canonical names, lists repeated, everything
 * but unreserved characters percent-encoded. Throws `INVALID_PARAMS` for what no query can carry: a nested
 * object, half a surrogate pair.
 */
export function toQuery<T>(table: Table<T>, value: object): string {
  const { fields } = objectRule(table);
  const pairs: string[] = [];
  for (const [name, item] of Object.entries(value)) {
    if (!Object.hasOwn(fields, name)) continue;
    for (const one of Array.isArray(item) ? (item as unknown[]) : [item]) {
      if (one === undefined || one === null) continue;
      if (typeof one === "object") refuse(name, "a nested value cannot be sent in a query");
      if (/\p{Cs}/u.test(String(one))) refuse(name, "half a surrogate pair cannot be sent in a query");
      pairs.push(`${escape(name)}=${escape(String(one as string | number | boolean))}`);
    }
  }
  return pairs.join("&");
}

function objectRule(table: Rule): ObjectRule {
  if (table.is !== "object") throw new A2AError("CONFIG", "A query needs a table of an object.");
  return table;
}

function valueOf(rule: Rule, name: string, values: readonly string[]): unknown {
  if (rule.is === "list") {
    const items = values.length === 1 ? (values[0]?.split(",") ?? []) : values;
    return items.map((item) => valueOf(rule.of, name, [item]));
  }
  const [value = ""] = values;
  if (values.length > 1) refuse(name, "given twice");
  if (rule.is !== "boolean") return value;
  if (value !== "true" && value !== "false") refuse(name, "expected true or false, found other text");
  return value === "true";
}

function refuse(field: string, description: string): never {
  throw new A2AError("INVALID_PARAMS", `${field}: ${description}`, {
    code: -32602,
    violations: [{ field, pointer: `/${field}`, description }],
  });
}

/** `encodeURIComponent` leaves five reserved characters of RFC 3986 as they are. */
function escape(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
