import type { Rule } from "../../src/descriptor.js";

/** A source of choices: true or false, as often as asked. */
export type Toss = () => boolean;

/** A canonical value of a ProtoJSON rule in one of its other legal spellings (`A2A-PJ-b` to `-i`). */
export function disguise(rule: Rule, value: unknown, toss: Toss): unknown {
  switch (rule.is) {
    case "int32":
    case "int64":
      return toss() ? String(value) : value;
    case "bytes": {
      let text = String(value);
      if (toss()) text = text.replaceAll("+", "-").replaceAll("/", "_");
      return toss() ? text.replaceAll("=", "") : text;
    }
    case "timestamp":
      return toss() ? withOffset(String(value), toss() ? 150 : -75) : value;
    case "enum":
      return toss() ? rule.numbers?.[rule.values.indexOf(String(value))] : value;
    case "list":
      return (value as unknown[]).map((item) => disguise(rule.of, item, toss));
    case "map":
      return Object.fromEntries(
        Object.entries(value as object).map(([key, item]) => [key, disguise(rule.of, item, toss)]),
      );
    case "object": {
      const members = Object.entries(value as object).map(([name, item]): [string, unknown] => {
        const of = rule.fields[name];
        return [toss() ? snakeCase(name) : name, of === undefined ? item : disguise(of, item, toss)];
      });
      for (const [name, of] of Object.entries(rule.fields)) {
        if (!Object.hasOwn(value as object, name) && of.is !== "json" && toss()) members.push([name, null]);
      }
      return Object.fromEntries(toss() ? members.reverse() : members);
    }
    default:
      return value;
  }
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The same instant at an offset of so many minutes. */
function withOffset(instant: string, minutes: number): string {
  const local = new Date(Date.parse(`${instant.slice(0, 19)}Z`) + minutes * 60_000)
    .toISOString()
    .slice(0, 19);
  const size = Math.abs(minutes);
  const pad = (part: number) => String(Math.floor(part)).padStart(2, "0");
  return `${local}${instant.slice(19, -1)}${minutes < 0 ? "-" : "+"}${pad(size / 60)}:${pad(size % 60)}`;
}
