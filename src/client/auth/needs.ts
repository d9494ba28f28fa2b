import { A2AError } from "../../errors.js";
import type { AgentCard, SecurityRequirement, SecurityScheme } from "../../versions/pivot.js";

/** A scheme that is to be shown, with the scopes that are needed. */
export interface Need {
  readonly scheme: string;
  readonly scopes: readonly string[];
}

/**
 * The first alternative for which everything is there; nothing where none is asked for. `name`: who asks. Throws `CONFIG`
 * where none can be met.
 */
export function chooseNeeds(
  name: string,
  requirements: readonly SecurityRequirement[] | undefined,
  has: (scheme: string) => boolean,
): readonly Need[] {
  const alternatives = alternativesOf(requirements);
  const asked = alternatives.filter((one) => one.length > 0);
  const met = asked.find((needs) => needs.every(({ scheme }) => has(scheme)));
  if (met !== undefined) return met;
  if (asked.length < alternatives.length || alternatives.length === 0) return [];
  const wanted = asked
    .map((needs) => {
      const names = needs.map(({ scheme }) => scheme).join(" and ");
      const missing = needs.filter(({ scheme }) => !has(scheme)).map(({ scheme }) => scheme);
      return missing.length === needs.length ? names : `${names} (${missing.join(" and ")} is missing)`;
    })
    .join(", or ");
  throw new A2AError("CONFIG", `credentials: ${name} asks for ${wanted}`);
}

/**
 * What is shown, and on top of it what a skill asks for: scopes of one scheme together. Throws `CONFIG` where there is no such
 * skill, where it cannot be met, or where a request has one place for two credentials.
 */
export function withSkill(
  needs: readonly Need[],
  card: AgentCard,
  id: string,
  has: (scheme: string) => boolean,
): readonly Need[] {
  const skill = card.skills.find((one) => one.id === id);
  if (skill === undefined) {
    const known = card.skills.map((one) => one.id).join(", ");
    throw new A2AError("CONFIG", `credentials: ${card.name} has no skill ${id}; there are ${known}`);
  }
  const all = new Map(needs.map(({ scheme, scopes }) => [scheme, scopes]));
  const fits = (scheme: string): boolean =>
    has(scheme) && [...all.keys()].every((other) => other === scheme || !samePlace(card, scheme, other));
  const beside = needs.length === 0 ? "" : `, beside ${[...all.keys()].join(" and ")},`;
  const name = `the skill ${id} of ${card.name}${beside}`;
  for (const { scheme, scopes } of chooseNeeds(name, skill.securityRequirements, fits))
    all.set(scheme, [...new Set([...(all.get(scheme) ?? []), ...scopes])]);
  return [...all].map(([scheme, scopes]) => ({ scheme, scopes }));
}

const alternativesOf = (requirements: readonly SecurityRequirement[] = []): readonly (readonly Need[])[] =>
  requirements.map(({ schemes = {} }) =>
    Object.entries(schemes).map(([scheme, { list = [] }]) => ({ scheme, scopes: list })),
  );

function samePlace({ securitySchemes = {} }: AgentCard, one: string, other: string): boolean {
  const place = placeOf(securitySchemes[one]);
  return place !== undefined && place === placeOf(securitySchemes[other]);
}

/** Where a request has the credential of a scheme; undefined where there is room for several. */
function placeOf(scheme: SecurityScheme | undefined): string | undefined {
  if (scheme === undefined) return undefined;
  const { apiKeySecurityScheme: key, mtlsSecurityScheme: mtls } = scheme;
  if (mtls !== undefined) return "certificate";
  if (key === undefined) return "header authorization";
  return `${key.location} ${key.location === "header" ? key.name.toLowerCase() : key.name}`;
}
