import { A2AError } from "../../errors.js";
import type { AgentCard, SecurityScheme } from "../../versions/pivot.js";
import { allOf } from "./all-of.js";
import { apiKey } from "./api-key.js";
import { basic } from "./basic.js";
import { bearer } from "./bearer.js";
import { chooseNeeds, withSkill, type Need } from "./needs.js";
import type { Secret } from "./secret.js";
import type { ClientAuth } from "./types.js";

/** What is shown for one scheme: a token or key, a name and password, or any source of credentials. */
export type Credential = Secret | { readonly username: string; readonly password: Secret } | ClientAuth;

/** Options of `credentials`. */
export interface CredentialsOptions {
  /**
   * Ids of the skills that will be asked for: what the card asks for them on top of itself is shown too, and further scopes
   * are asked for (A2A-4.4.5-b). Default: none, for scopes that nobody needs may be refused.
   */
  readonly skills?: readonly string[] | undefined;
}

/**
 * Credentials by the names of the card's security schemes. Of the alternatives that the card takes, the first one is shown
 * for which all credentials are here; one that asks for none comes last. A card that asks for nothing gets nothing. Where no
 * alternative can be met, `connect` fails with `CONFIG`, which names what is missing; likewise for a skill that is named.
 */
export function credentials(
  byScheme: Readonly<Record<string, Credential>>,
  { skills = [] }: CredentialsOptions = {},
): ClientAuth {
  return {
    // A card that is behind a lock does not say what opens it.
    headers: () => ({}),
    forCard(card) {
      const has = (scheme: string): boolean => Object.hasOwn(byScheme, scheme);
      const needs = skills.reduce(
        (all, id) => withSkill(all, card, id, has),
        chooseNeeds(card.name, card.securityRequirements, has),
      );
      return allOf(needs.map((need) => shown(card, need, byScheme[need.scheme])));
    },
  };
}

/** What a scheme makes of a credential. */
function shown(card: AgentCard, need: Need, credential: Credential | undefined): ClientAuth {
  const scheme: SecurityScheme | undefined = card.securitySchemes?.[need.scheme];
  if (scheme === undefined || credential === undefined) {
    throw new A2AError(
      "CONFIG",
      `credentials: the card asks for ${need.scheme}, which is none of its schemes`,
    );
  }
  if (typeof credential === "object" && "headers" in credential)
    return credential.forScheme?.(scheme, need.scopes) ?? credential;
  const { apiKeySecurityScheme: key, httpAuthSecurityScheme: http, mtlsSecurityScheme: mtls } = scheme;
  const isBasic = http?.scheme.toLowerCase() === "basic";
  if (typeof credential === "object") {
    if (isBasic) return basic(credential.username, credential.password);
    throw unfit(need.scheme, "is not HTTP Basic, so it takes no user name and password");
  }
  if (key !== undefined) {
    const { location, name } = key;
    if (location !== "header" && location !== "query" && location !== "cookie")
      throw unfit(need.scheme, `has its key in ${JSON.stringify(location)}, which is not known`);
    return apiKey({ in: location, name, key: credential });
  }
  if (isBasic) throw unfit(need.scheme, "is HTTP Basic: give { username, password }");
  if (mtls !== undefined) throw unfit(need.scheme, "is a certificate: give mtls(…) of a2a-typed/node");
  if (http !== undefined && http.scheme.toLowerCase() !== "bearer")
    throw unfit(need.scheme, `is HTTP ${http.scheme}: give an object with headers(op)`);
  return bearer(credential);
}

const unfit = (name: string, problem: string): A2AError =>
  new A2AError("CONFIG", `credentials: the scheme ${name} ${problem}`);
