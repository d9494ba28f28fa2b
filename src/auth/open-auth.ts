import type { Logger } from "../logger.js";
import type { AgentCard } from "../versions/pivot.js";
import { createChecker, type Checker } from "./checker.js";
import { deprecatedFlow } from "./scheme-problem.js";
import { securedCard } from "./secured-card.js";
import { createSkillCheck, type SkillCheck } from "./skill-check.js";
import type { AuthOptions } from "./types.js";

/** What a server does by its `auth` option. */
export interface OpenedAuth<F> {
  /** Finds who makes a request; absent: nobody asks. */
  readonly authenticate: F | Checker | undefined;
  /** The agent's card with the schemes and requirements of the option. */
  readonly card: AgentCard;
  /** The same for another card of the agent; throws `CONFIG` as `openAuth`. */
  readonly secure: (card: AgentCard) => AgentCard;
  readonly checkSkill: SkillCheck;
}

/**
 * Opens the `auth` option: a function is trusted to keep what the card says, options are checked against it. Throws
 * `CONFIG` where they contradict the card.
 */
export function openAuth<F extends (...args: never[]) => unknown>(
  auth: AuthOptions | F | undefined,
  card: AgentCard,
  logger: Pick<Logger, "warn">,
): OpenedAuth<F> {
  const options = typeof auth === "object" ? auth : undefined;
  const secured = securedCard(card, options);
  const { securityRequirements: requirements = [], securitySchemes = {}, skills } = secured;
  if (auth === undefined && requirements.some(({ schemes = {} }) => Object.keys(schemes).length > 0)) {
    logger.warn("a2a: the card requires credentials that nothing checks: give the server an auth option");
  }
  for (const [name, scheme] of Object.entries(securitySchemes)) {
    const flow = deprecatedFlow(scheme);
    if (flow === undefined) continue;
    logger.warn(`a2a: the scheme ${name} offers the flow ${flow}, which OAuth 2.1 gave up`);
  }
  return {
    authenticate:
      options === undefined ? (auth as F | undefined) : createChecker({ ...options, requirements, logger }),
    card: secured,
    secure: (other) => securedCard(other, options),
    checkSkill: createSkillCheck(skills, options?.schemes ?? {}),
  };
}
