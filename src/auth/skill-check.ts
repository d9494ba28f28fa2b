import { A2AError } from "../errors.js";
import type { Granted } from "../granted.js";
import type { AgentSkill } from "../versions/pivot.js";
import { lacksScopes, unauthenticated } from "./refusals.js";
import { alternativesOf, judge } from "./requirements.js";
import type { Authenticator } from "./types.js";

/** Refuses a caller who may not use a skill: `UNAUTHENTICATED`, or `PERMISSION_DENIED` with the lacking scopes. */
export type SkillCheck = (skillId: string, granted: Granted | undefined) => void;

/** Evaluates the requirements of the skills of a card, which come on top of those of the card (A2A-ER-e). */
export function createSkillCheck(
  skills: readonly AgentSkill[],
  schemes: Readonly<Record<string, Authenticator>>,
): SkillCheck {
  const bySkill = new Map(
    skills.map(({ id, securityRequirements = [] }) => [id, alternativesOf(securityRequirements)]),
  );
  return (skillId, granted) => {
    const alternatives = bySkill.get(skillId);
    if (alternatives === undefined) {
      throw new A2AError("INTERNAL_ERROR", "Internal error", {
        cause: new TypeError(`The card has no skill ${skillId}`),
      });
    }
    const verdict = judge(alternatives, granted?.schemes ?? new Map());
    if (verdict.met !== undefined) return;
    throw verdict.lacking === undefined
      ? unauthenticated(schemes, alternatives, new Map())
      : lacksScopes(schemes, verdict.lacking);
  };
}
