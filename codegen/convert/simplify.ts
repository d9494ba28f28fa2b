import { SAME, type EntryDraft, type HopDraft, type MemberDraft, type RuleDraft } from "./draft.js";

/** The hop with every rule that changes nothing as `same`: types that are equal in both forms are shared, not copied. */
export function simplify(hop: HopDraft): HopDraft {
  const same = unchanged(new Map(Object.entries(hop.types)));
  const of = (rule: RuleDraft): RuleDraft => simple(rule, same);
  return {
    ...hop,
    types: Object.fromEntries(
      Object.entries(hop.types).map(([name, entry]) => [name, { ...entry, rule: of(entry.rule) }]),
    ),
    methods: hop.methods.map((method) => ({ ...method, input: of(method.input), output: of(method.output) })),
  };
}

/** The entries that change nothing: all that could be, less those that turn out to hold one that does. */
function unchanged(types: ReadonlyMap<string, EntryDraft>): ReadonlySet<string> {
  const same = new Set(types.keys());
  for (;;) {
    const wrong = [...same].filter((name) => {
      const rule = types.get(name)?.rule;
      return rule === undefined || simple(rule, same).is !== "same";
    });
    if (wrong.length === 0) return same;
    for (const name of wrong) same.delete(name);
  }
}

function simple(rule: RuleDraft, same: ReadonlySet<string>): RuleDraft {
  switch (rule.is) {
    case "ref":
      return same.has(rule.name) ? SAME : rule;
    case "items": {
      const of = simple(rule.of, same);
      return of.is === "same" && rule.filled === undefined ? SAME : { ...rule, of };
    }
    case "wrap":
      return { ...rule, of: simple(rule.of, same) };
    case "hook":
      return rule.of === undefined ? rule : { ...rule, of: simple(rule.of, same) };
    case "enum":
      return rule.pairs.every(([older, newer]) => older === newer) && rule.nearest === undefined
        ? SAME
        : rule;
    case "union": {
      const variants = rule.variants.map((variant) => {
        const { as, ...marks } = variant;
        const inner = as === undefined ? SAME : simple(as, same);
        return inner.is === "same" ? marks : { ...marks, as: inner };
      });
      const isSame =
        equal(rule.older, rule.newer) &&
        variants.every((variant) => !("as" in variant) && equal(variant.older, variant.newer));
      return isSame ? SAME : { ...rule, variants };
    }
    case "object": {
      const members = rule.members.map((member) => simpleMember(member, same));
      const isSame =
        rule.names === undefined &&
        members.every((member) => member.older === member.newer && Object.keys(member).length === 2);
      return isSame ? SAME : { ...rule, members };
    }
    default:
      return rule;
  }
}

function simpleMember(member: MemberDraft, same: ReadonlySet<string>): MemberDraft {
  if (member.as === undefined) return member;
  const as = simple(member.as, same);
  if (as.is !== "same") return { ...member, as };
  const { as: _as, required: _required, ...rest } = member;
  return rest;
}

const equal = (one: unknown, two: unknown): boolean => JSON.stringify(one) === JSON.stringify(two);
