import type { A2AError } from "../errors.js";
import { isA2AError } from "../errors.js";
import type { Logger } from "../logger.js";
import type { SecurityRequirement } from "../versions/pivot.js";
import { lacksScopes, unauthenticated } from "./refusals.js";
import { alternativesOf, judge, type Alternative } from "./requirements.js";
import type { Authenticator, AuthRequest, Granted, Identity, Shown } from "./types.js";

/** Finds who makes a request: undefined for anonymous callers, where they are welcome. Throws what refuses. */
export type Checker = (request: AuthRequest) => Promise<Shown | undefined>;

/** What a checker works by. */
export interface CheckerOptions {
  readonly schemes: Readonly<Record<string, Authenticator>>;
  readonly requirements: readonly SecurityRequirement[];
  readonly logger: Pick<Logger, "warn">;
}

/**
 * Checks each request by the requirements of the card (A2A-7.4-a): any of them, of it all schemes with all scopes. What is
 * shown is checked also where anonymous callers are welcome; wrong credentials are refused unless others suffice.
 */
export function createChecker({ schemes, requirements, logger }: CheckerOptions): Checker {
  const authenticators = Object.entries(schemes);
  const alternatives = alternativesOf(requirements);
  return async (request) => {
    const identities = new Map<string, Identity>();
    const failures = new Map<string, A2AError>();
    for (const [name, authenticator] of authenticators) {
      try {
        const identity = await authenticator.authenticate(request);
        if (identity !== undefined) identities.set(name, identity);
      } catch (error) {
        if (!isA2AError(error, "UNAUTHENTICATED")) {
          // Other failures are logged where they become a reply.
          if (isA2AError(error, "UNAVAILABLE")) logger.warn(`a2a: ${name}: ${error.message}`, error.cause);
          throw error;
        }
        failures.set(name, error);
      }
    }
    const granted = scopesBy(identities);
    const verdict = judge(alternatives, granted);
    const met = verdict.met;
    if (met === undefined || (met.length === 0 && failures.size > 0 && identities.size === 0)) {
      const lacking = met === undefined ? verdict.lacking : undefined;
      const refusal = lacking
        ? lacksScopes(schemes, lacking)
        : unauthenticated(schemes, alternatives, failures);
      // The credentials themselves are nobody's business.
      logger.warn(`a2a: ${refusal.message}`, {
        address: request.peer?.address,
        shown: [...identities.keys(), ...failures.keys()],
        refused: [...failures.keys()],
      });
      throw refusal;
    }
    return shownBy(met, identities, granted);
  };
}

const scopesBy = (identities: ReadonlyMap<string, Identity>): Granted["schemes"] =>
  new Map([...identities].map(([name, { scopes = [] }]) => [name, scopes]));

/** The first scheme of what is met says who it is; a tenant must be allowed by all. */
function shownBy(
  met: Alternative,
  identities: ReadonlyMap<string, Identity>,
  schemes: Granted["schemes"],
): Shown | undefined {
  const [first] = identities.values();
  if (first === undefined) return undefined;
  const [leading] = met;
  const { principal, owner } = (leading && identities.get(leading.scheme)) ?? first;
  const used = met.length === 0 ? [first] : met.flatMap(({ scheme }) => identities.get(scheme) ?? []);
  const lists = used.flatMap(({ tenants }) => (tenants === undefined ? [] : [tenants]));
  const [one, ...others] = lists;
  const tenants = one?.filter((tenant) => others.every((list) => list.includes(tenant)));
  return {
    principal,
    granted: { principal, schemes },
    ...(owner !== undefined && { owner }),
    ...(tenants && { tenants }),
  };
}
