import { A2AError } from "../../errors.js";
import type { AgentCard, SecurityScheme } from "../../versions/pivot.js";
import { allOf } from "./all-of.js";
import { apiKey } from "./api-key.js";
import { basic } from "./basic.js";
import { bearer } from "./bearer.js";
import type { Secret } from "./secret.js";
import type { ClientAuth } from "./types.js";

/** What is shown for one scheme: a token or key, a name and password, or any source of credentials. */
export type Credential = Secret | { readonly username: string; readonly password: Secret } | ClientAuth;

/**
 * Credentials by the names of the card's security schemes. Of the alternatives that the card takes, the first one is shown
 * for which all credentials are here; one that asks for none comes last. A card that asks for nothing gets nothing. Where no
 * alternative can be met, `connect` fails with `CONFIG`, which names what is missing.
 */
export function credentials(byScheme: Readonly<Record<string, Credential>>): ClientAuth {
  return {
    // A card that is behind a lock does not say what opens it.
    headers: () => ({}),
    forCard: (card) => choose(card, byScheme),
  };
}

interface Need {
  readonly scheme: string;
  readonly scopes: readonly string[];
}

function choose(card: AgentCard, byScheme: Readonly<Record<string, Credential>>): ClientAuth {
  const alternatives = (card.securityRequirements ?? []).map(({ schemes = {} }) =>
    Object.entries(schemes).map(([scheme, { list = [] }]): Need => ({ scheme, scopes: list })),
  );
  const asked = alternatives.filter((one) => one.length > 0);
  const has = ({ scheme }: Need): boolean => Object.hasOwn(byScheme, scheme);
  const met = asked.find((needs) => needs.every(has));
  if (met !== undefined) return allOf(met.map((need) => shown(card, need, byScheme[need.scheme])));
  if (asked.length < alternatives.length || alternatives.length === 0) return { headers: () => ({}) };
  const wanted = asked
    .map((needs) => {
      const names = needs.map(({ scheme }) => scheme).join(" and ");
      const missing = needs.filter((need) => !has(need)).map(({ scheme }) => scheme);
      return missing.length === needs.length ? names : `${names} (${missing.join(" and ")} is missing)`;
    })
    .join(", or ");
  throw new A2AError("CONFIG", `credentials: ${card.name} asks for ${wanted}`);
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
