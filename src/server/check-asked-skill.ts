import type { Granted } from "../granted.js";
import type { ContentTypeCheck } from "./content-types.js";
import type { ServiceContext, SkillOf } from "./service-context.js";

/**
 * The check of the skill that a message asks for, before anything is stored. A request of A2A names no skill, so the server
 * is told how to find it; a message that asks for none is checked by what the card says alone.
 * @param check of the requirements of the skill
 * @param checkContent of its input modes
 */
export function checkAskedSkill(
  skillOf: SkillOf,
  check: (skillId: string, granted: Granted | undefined) => void,
  checkContent: ContentTypeCheck,
): NonNullable<ServiceContext["checkSkill"]> {
  return (message, ctx) => {
    const skillId = skillOf(message, ctx);
    if (skillId === undefined) return;
    check(skillId, ctx.context.granted);
    checkContent(message, skillId);
  };
}
