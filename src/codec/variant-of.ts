import type { ChoiceRule, JsonObject, Rule, TaggedRule } from "../descriptor.js";
import { taggedVariant } from "./union.js";

/** The alternative that an object is, by its tag or by a member that it has; undefined where there is none. */
export const variantOf = (rule: TaggedRule | ChoiceRule, value: JsonObject): Rule | undefined =>
  rule.is === "tagged"
    ? taggedVariant(rule, value)
    : (rule.variants.find(([member]) => Object.hasOwn(value, member))?.[1] ?? rule.otherwise);
