import type { ObjectRule, Rule } from "../../descriptor.js";
import { A2AError } from "../../errors.js";

/** The rules of the parts of a card. */
export interface CardRules {
  readonly provider: ObjectRule;
  readonly capabilities: ObjectRule;
  readonly extension: ObjectRule;
  readonly scheme: ObjectRule;
  readonly skill: ObjectRule;
  readonly signature: ObjectRule;
}

/** The rules of the parts, found where the card has them. */
export function rulesOf({ fields }: ObjectRule): CardRules {
  const capabilities = objectRule(fields["capabilities"]);
  return {
    provider: objectRule(fields["provider"]),
    capabilities,
    extension: objectRule(elementOf(capabilities.fields["extensions"])),
    scheme: objectRule(elementOf(fields["securitySchemes"])),
    skill: objectRule(elementOf(fields["skills"])),
    signature: objectRule(elementOf(fields["signatures"])),
  };
}

const elementOf = (rule: Rule | undefined): Rule | undefined =>
  rule?.is === "list" || rule?.is === "map" ? rule.of : undefined;

/** A rule that is one of an object. */
export function objectRule(rule: Rule | undefined): ObjectRule {
  if (rule?.is === "object") return rule;
  throw new A2AError("CONFIG", "The tables of this version describe no agent card");
}
