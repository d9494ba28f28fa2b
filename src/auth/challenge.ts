import type { SecurityScheme } from "../versions/pivot.js";

/**
 * The challenge of a scheme in `WWW-Authenticate` (RFC 9110 11.6.1). Keys and certificates have no registered one, but
 * every 401 must carry a challenge: theirs say what is asked for, and clients ignore what they do not know.
 */
export function challengeOf(scheme: SecurityScheme, realm?: string): string {
  const { apiKeySecurityScheme: key, httpAuthSecurityScheme: http } = scheme;
  if (key) return challenge("ApiKey", { in: key.location, name: key.name });
  if (http) return challenge(capital(http.scheme), realm === undefined ? {} : { realm });
  if (scheme.mtlsSecurityScheme) return "MutualTLS";
  return challenge("Bearer", realm === undefined ? {} : { realm });
}

/** `Bearer error="invalid_token"`: a name with quoted parameters. */
export function challenge(name: string, parameters: Readonly<Record<string, string>>): string {
  const list = Object.entries(parameters).map(([key, value]) => `${key}=${quoted(value)}`);
  return list.length === 0 ? name : `${name} ${list.join(", ")}`;
}

/** A header holds no control characters, whatever a name holds. */
const quoted = (value: string): string =>
  `"${value.replaceAll(/[^\x20-\x7e]/g, "?").replaceAll(/["\\]/g, "\\$&")}"`;

/** Names of schemes have no case; `bearer` is usually written `Bearer`. */
const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
