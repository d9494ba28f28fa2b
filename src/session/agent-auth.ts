import { apiKey } from "../client/auth/api-key.js";
import { basic } from "../client/auth/basic.js";
import { bearer } from "../client/auth/bearer.js";
import { credentials, type Credential } from "../client/auth/credentials.js";
import { clientCredentials } from "../client/auth/oauth/client-credentials.js";
import type { ClientAuth } from "../client/auth/types.js";
import { A2AError } from "../errors.js";
import type { AgentAuth, ConfiguredCredential, ConfiguredSecret } from "./agent-auth-config.js";

/**
 * Credentials as a configuration names them. Variables are read here, so that one that is not set is noticed (`CONFIG`),
 * and again for each request but those for tokens.
 */
export function agentAuth(auth: AgentAuth): ClientAuth {
  if ("bearer" in auth) return bearer(secretOf(auth.bearer));
  if ("basic" in auth) return basic(auth.basic.username, secretOf(auth.basic.password));
  if ("api_key" in auth) return apiKey({ ...auth.api_key, key: secretOf(auth.api_key.key) });
  if ("schemes" in auth) {
    const schemes = Object.entries(auth.schemes).map(([name, one]) => [name, credentialOf(one)] as const);
    return credentials(Object.fromEntries(schemes));
  }
  const { issuer, client_id: clientId, client_secret: secret, scope } = auth.client_credentials;
  return clientCredentials({ issuer, clientId, clientSecret: read(secret), scope });
}

const credentialOf = (one: ConfiguredCredential): Credential =>
  typeof one === "object" && "username" in one
    ? { username: one.username, password: secretOf(one.password) }
    : secretOf(one);

function secretOf(secret: ConfiguredSecret): string | (() => string) {
  const value = read(secret);
  return typeof secret === "string" ? value : () => read(secret);
}

function read(secret: ConfiguredSecret): string {
  if (typeof secret === "string") return secret;
  const value = process.env[secret.env];
  if (value !== undefined && value !== "") return value;
  throw new A2AError("CONFIG", `auth: the environment variable ${secret.env} is not set, or empty`);
}
