import type { AgentCard, SecurityRequirement } from "../versions/pivot.js";
import type { AuthOptions } from "./types.js";

/** The part of a card that says who may call. */
export type SecurityParts = Required<Pick<AgentCard, "securitySchemes" | "securityRequirements">>;

/** What a card says of an `auth` option: its schemes, and any of them alone where nothing else is required. */
export function authCardParts({ schemes, requirements }: AuthOptions): SecurityParts {
  const alone = (name: string): SecurityRequirement => ({ schemes: { [name]: { list: [] } } });
  return {
    securitySchemes: Object.fromEntries(Object.entries(schemes).map(([name, { scheme }]) => [name, scheme])),
    securityRequirements: [...(requirements ?? Object.keys(schemes).map(alone))],
  };
}
