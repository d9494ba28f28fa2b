import { ERROR_DOMAIN, ERROR_INFO, type ErrorDetail } from "../binding/error-details.js";
import { A2AError } from "../errors.js";
import { challenge, challengeOf } from "./challenge.js";
import type { Alternative, Lacking } from "./requirements.js";
import type { Authenticator } from "./types.js";

type Schemes = Readonly<Record<string, Authenticator>>;

/**
 * Nobody is known: the challenges of every scheme that could help in one header, and their names (A2A-3.3.2-d). What was
 * shown and wrong is told instead of what is missing.
 */
export function unauthenticated(
  schemes: Schemes,
  alternatives: readonly Alternative[],
  failures: ReadonlyMap<string, A2AError>,
): A2AError {
  const wanted = alternatives.filter((alternative) => alternative.length > 0);
  const names = [...new Set(wanted.flatMap((alternative) => alternative.map(({ scheme }) => scheme)))];
  // Credentials that nothing asks for, and wrong ones at that.
  const named = names.length > 0 ? names : [...failures.keys()];
  const challenges = named.flatMap((name) => {
    const authenticator = schemes[name];
    if (authenticator === undefined) return [];
    const own = failures.get(name)?.headers?.["www-authenticate"];
    return [own ?? authenticator.challenge ?? challengeOf(authenticator.scheme)];
  });
  const ways = wanted.map((alternative) => alternative.map(({ scheme }) => scheme).join(" and "));
  const [failure] = failures.values();
  const ask = ways.length === 0 ? "" : `show credentials of ${ways.join(", or of ")}`;
  const message =
    failure === undefined
      ? `Authentication required: ${ask}`
      : `Authentication failed: ${failure.message}${ask === "" ? "" : `; ${ask}`}`;
  return new A2AError("UNAUTHENTICATED", message, {
    headers: { "www-authenticate": [...new Set(challenges)].join(", ") },
    data: [detail("UNAUTHENTICATED", { schemes: named.join(",") })],
    cause: failure,
  });
}

/** Somebody is known who may not do this: names the scopes that are lacking (A2A-3.3.2-f). */
export function lacksScopes(schemes: Schemes, { scheme, scopes }: Lacking): A2AError {
  const list = scopes.join(" ");
  const authenticator = schemes[scheme];
  const own = authenticator && (authenticator.challenge ?? challengeOf(authenticator.scheme));
  // RFC 6750 3.1; other schemes have no words for it.
  const isBearer = own !== undefined && /^bearer\b/i.test(own);
  return new A2AError("PERMISSION_DENIED", `Permission denied: this needs the scope ${scopes.join(", ")}`, {
    ...(isBearer && {
      headers: { "www-authenticate": challenge("Bearer", { error: "insufficient_scope", scope: list }) },
    }),
    data: [detail("PERMISSION_DENIED", { scheme, scopes: list })],
  });
}

const detail = (reason: string, metadata: Readonly<Record<string, string>>): ErrorDetail => ({
  "@type": ERROR_INFO,
  reason,
  domain: ERROR_DOMAIN,
  metadata,
});
