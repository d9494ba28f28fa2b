import { A2AError } from "../errors.js";
import type { AgentCard, SecurityRequirement, SecurityScheme } from "../versions/pivot.js";
import { authCardParts } from "./card-parts.js";
import { schemeProblem } from "./scheme-problem.js";
import type { AuthOptions } from "./types.js";

/**
 * The card with what the `auth` option says of it. Throws `CONFIG` where the two contradict each other: a scheme that
 * nothing checks, a requirement that names no scheme of the card (A2A-4.5.x-c), two lists of requirements.
 */
export function securedCard(card: AgentCard, auth: AuthOptions | undefined): AgentCard {
  const secured = auth === undefined ? card : withParts(card, auth);
  const { securitySchemes = {} } = secured;
  for (const [name, scheme] of Object.entries(securitySchemes)) {
    const problem = schemeProblem(scheme);
    if (problem !== undefined) throw config(`securitySchemes.${name}.${problem}`);
  }
  check("securityRequirements", secured.securityRequirements, securitySchemes);
  for (const skill of secured.skills) {
    check(`skills.${skill.id}.securityRequirements`, skill.securityRequirements, securitySchemes);
  }
  return secured;
}

function withParts(card: AgentCard, auth: AuthOptions): AgentCard {
  const parts = authCardParts(auth);
  for (const [name, scheme] of Object.entries(card.securitySchemes ?? {})) {
    const own = parts.securitySchemes[name];
    if (own === undefined) {
      const known = Object.keys(parts.securitySchemes).join(", ");
      throw config(`securitySchemes.${name} has no authenticator in auth.schemes (there are ${known})`);
    }
    if (kindOf(own) !== kindOf(scheme)) {
      throw config(`securitySchemes.${name} is a ${kindOf(scheme)}, its authenticator a ${kindOf(own)}`);
    }
  }
  const { securityRequirements: declared } = card;
  if (declared !== undefined && auth.requirements !== undefined && !isSame(declared, auth.requirements)) {
    throw config("securityRequirements differ from auth.requirements; give them once");
  }
  return {
    ...card,
    securitySchemes: { ...parts.securitySchemes, ...card.securitySchemes },
    securityRequirements: declared ?? parts.securityRequirements,
  };
}

function check(
  where: string,
  requirements: readonly SecurityRequirement[] | undefined,
  schemes: Readonly<Record<string, SecurityScheme>>,
): void {
  for (const name of (requirements ?? []).flatMap((one) => Object.keys(one.schemes ?? {}))) {
    if (Object.hasOwn(schemes, name)) continue;
    const known = Object.keys(schemes);
    throw config(
      `${where} names the scheme ${name}, but securitySchemes has ${known.length === 0 ? "none" : known.join(", ")}`,
    );
  }
}

/** The one member of a scheme. */
const kindOf = (scheme: SecurityScheme): string => Object.keys(scheme).join(", ");

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const config = (problem: string): A2AError => new A2AError("CONFIG", `card: ${problem}`);
