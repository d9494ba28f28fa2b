import { decode } from "../../codec/decode.js";
import type { Table } from "../../descriptor.js";
import { ABSENT, report } from "../context.js";
import type { Hook } from "../hook.js";

const TABLE: Table<string> = { is: "timestamp" };

/** UTC at a glance; anything else is looked at closely. */
const PLAIN =
  /^\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/;
const LOOSE = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:[.,](\d+))?([Zz]|[+-]\d\d(?::?\d\d)?)?$/;

/** Free text in 0.x, RFC 3339 in UTC in 1.x. Without a zone it is read as UTC; what is no time is dropped. */
export const timestamp: Hook = {
  up(value, _, ctx) {
    const text = value as string;
    if (PLAIN.test(text) && !text.startsWith("0000")) return text;
    const instant = instantOf(text);
    if (instant === undefined) return ABSENT;
    if (instant !== text) report(ctx, "normalized");
    return instant;
  },
};

function instantOf(text: string): string | undefined {
  const [, date, time, fraction, zone = "Z"] = LOOSE.exec(text) ?? [];
  if (date === undefined || time === undefined) return undefined;
  const digits = fraction === undefined ? "" : `.${fraction.slice(0, 9)}`;
  const offset = zone.replace(
    /^([+-]\d\d):?(\d\d)?$/,
    (_, hours: string, minutes = "00") => `${hours}:${String(minutes)}`,
  );
  try {
    return decode(TABLE, `${date}T${time}${digits}${offset.toUpperCase()}`, { direction: "reply" });
  } catch {
    return undefined;
  }
}
