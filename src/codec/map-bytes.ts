import type { JsonObject, Rule } from "../descriptor.js";
import { isObject } from "./json.js";
import { fieldsOf } from "./object.js";
import { variantOf } from "./variant-of.js";

/** A text in a member that holds bytes, with the pointer to it → the text to stand there. */
export type BytesMapper = (text: string, pointer: string) => string;

/** The value with every text that its table calls bytes mapped; the value itself where none changes. */
export function mapBytes(rule: Rule, value: unknown, map: BytesMapper, pointer = ""): unknown {
  switch (rule.is) {
    case "bytes":
      return typeof value === "string" ? map(value, pointer) : value;
    case "list":
      if (!Array.isArray(value)) return value;
      return changed(value, (item, index) => mapBytes(rule.of, item, map, `${pointer}/${String(index)}`));
    case "map":
      return isObject(value)
        ? members(value, (key, item) => mapBytes(rule.of, item, map, below(pointer, key)))
        : value;
    case "object": {
      if (!isObject(value)) return value;
      const fields = fieldsOf(rule);
      return members(value, (key, item) => {
        const of = fields.get(key)?.rule;
        return of === undefined ? item : mapBytes(of, item, map, below(pointer, key));
      });
    }
    case "tagged":
    case "choice": {
      if (!isObject(value)) return value;
      const of = variantOf(rule, value);
      return of === undefined ? value : mapBytes(of, value, map, pointer);
    }
    default:
      return value;
  }
}

const below = (pointer: string, key: string): string =>
  `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;

function changed(list: readonly unknown[], each: (item: unknown, index: number) => unknown): unknown {
  const mapped = list.map(each);
  return mapped.some((item, index) => item !== list[index]) ? mapped : list;
}

function members(object: JsonObject, each: (key: string, item: unknown) => unknown): unknown {
  const entries = Object.entries(object);
  const mapped = entries.map(([key, item]) => [key, each(key, item)] as const);
  return mapped.some(([, item], index) => item !== entries[index]?.[1]) ? Object.fromEntries(mapped) : object;
}
