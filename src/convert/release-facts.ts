import type { ConversionRule, MemberConversion, Rule, Side } from "../descriptor.js";
import { isBefore } from "./context.js";

/** The table as an older release of the line has it: without the requirements that came later. */
export function tableOf(table: Rule, rule: ConversionRule, side: Side, release: string | undefined): Rule {
  if (table.is !== "object" || table.required === undefined) return table;
  const later = membersOf(rule).flatMap((member) => {
    const name = member[side];
    const since = member.since?.[side];
    const isLater = since !== undefined && (release === undefined || isBefore(release, since));
    return isLater && name !== undefined ? [name] : [];
  });
  if (later.length === 0) return table;
  return { ...table, required: table.required.filter((name) => !later.includes(name)) };
}

/** Whether a rule treats the releases of a side differently. */
export function hasReleaseFacts(rule: ConversionRule, side: Side, seen = new Set<ConversionRule>()): boolean {
  if (seen.has(rule)) return false;
  seen.add(rule);
  const within = (inner: ConversionRule | undefined): boolean =>
    inner !== undefined && hasReleaseFacts(inner, side, seen);
  switch (rule.is) {
    case "items":
    case "wrap":
    case "hook":
      return within(rule.of);
    case "union":
      return rule.variants.some(({ as }) => within(as));
    case "object":
      return rule.members.some(
        ({ as, since, fill }) =>
          since?.[side] !== undefined || fill?.[side]?.until !== undefined || within(as),
      );
    default:
      return false;
  }
}

const membersOf = (rule: ConversionRule): readonly MemberConversion[] =>
  rule.is === "object" ? rule.members : rule.is === "hook" && rule.of !== undefined ? membersOf(rule.of) : [];
