import type { Rule } from "../../../src/descriptor.js";
import { comparable } from "../compare.js";

/**
 * What two values must have in common to mean the same in a version: those of 1.0 as the vectors compare them; in 0.x an
 * optional text or list that is empty is as good as none, and so are `append`, `lastChunk` and `required` that are false
 * and, in a configuration, `blocking` that is true. A card of 0.x names the version that it is written for, whatever it
 * was written from.
 */
export const meaning = (version: string, type: string, rule: Rule, value: unknown): unknown =>
  version === "1.0"
    ? comparable(version, type, value)
    : lean(rule, type === "AgentCard" ? { ...(value as object), protocolVersion: "" } : value);

const FALSE_BY_DEFAULT = ["append", "lastChunk", "required"];

function lean(rule: Rule, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  switch (rule.is) {
    case "list":
    case "map":
      return Array.isArray(value)
        ? value.map((item) => lean(rule.of, item))
        : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, lean(rule.of, item)]));
    case "tagged":
      return lean(
        rule.variants[String((value as Record<string, unknown>)[rule.tag])] ?? { is: "json" },
        value,
      );
    case "choice":
      return lean(
        rule.variants.find(([member]) => member in value)?.[1] ?? rule.otherwise ?? { is: "json" },
        value,
      );
    case "object":
      return Object.fromEntries(
        Object.entries(value).flatMap(([key, item]) => {
          const of = rule.fields[key];
          if (of === undefined) return [[key, item]];
          const isNone =
            rule.required?.includes(key) !== true &&
            (item === "" ||
              (of.is === "list" && Array.isArray(item) && item.length === 0) ||
              (item === false && FALSE_BY_DEFAULT.includes(key)) ||
              (item === true && key === "blocking"));
          return isNone ? [] : [[key, lean(of, item)]];
        }),
      );
    default:
      return value;
  }
}
