import type { JSONWebKeySet, JWK, JWTPayload } from "jose";
import { A2AError } from "../errors.js";
import { asymmetricAlgorithms } from "../keys/algorithms.js";
import type { SecurityScheme } from "../versions/pivot.js";
import { bearer } from "./bearer.js";
import { challenge } from "./challenge.js";
import { scopesOf } from "./scopes-of.js";
import type { Authenticator, Identity } from "./types.js";
import { wrongCredentials } from "./wrong-credentials.js";

/** Which tokens are taken: whose signature, from whom, for whom. */
export interface JwtOptions {
  /** Where the keys of the issuer are, or the keys. A set that is fetched is kept, and fetched again for a new `kid`. */
  readonly jwks?: string | URL | JSONWebKeySet;
  /** The one key, instead of `jwks`: a public JWK, a `CryptoKey`, or the bytes of a secret for `HS…`. */
  readonly key?: JWK | CryptoKey | Uint8Array;
  /** `iss` must be this, or one of these. */
  readonly issuer: string | readonly string[];
  /** `aud` must name this, or one of these: tokens for others are not for this agent. */
  readonly audience: string | readonly string[];
  /** Algorithms that are taken. Default: the asymmetric ones. `none` never; `HS…` only with `key`. */
  readonly algorithms?: readonly string[];
  /** Seconds that clocks may differ. Default 0. */
  readonly clockTolerance?: number;
  /** Claims that must be there besides `iss`, `aud`, `exp` and `sub`. */
  readonly requiredClaims?: readonly string[];
  /** Scopes of a token. Default: its `scope` (a text) and `scp` (a text or a list). */
  readonly scopes?: (claims: JWTPayload) => readonly string[];
  /** Tenants that its bearer may name. Default: any. */
  readonly tenants?: (claims: JWTPayload) => readonly string[] | undefined;
  /** What the card says instead of HTTP Bearer: `oauth2SecurityScheme` or `openIdConnectSecurityScheme`. */
  readonly scheme?: SecurityScheme;
  /** Named in the challenge. */
  readonly realm?: string;
}

type Verify = (token: string) => Promise<JWTPayload>;

/**
 * `Authorization: Bearer …` with a signed JWT (RFC 7519); the principal is its claims. Throws `CONFIG` for options that
 * would take what anybody can make. A key set that cannot be fetched is `UNAVAILABLE`, not the fault of the caller.
 */
export function jwt(options: JwtOptions): Authenticator {
  checkOptions(options);
  const { scopes = scopesOf, tenants, scheme, realm } = options;
  const several = listOf(options.issuer).length > 1;
  let verifier: Promise<Verify> | undefined;
  const identify = async (token: string): Promise<Identity> => {
    const verify = await (verifier ??= open(options));
    const claims = await verify(token).catch((error: unknown) => {
      throw refusal(error, realm, isUrl(options.jwks));
    });
    // Nobody would own its tasks.
    if (typeof claims.sub !== "string" || claims.sub === "") throw invalid("The token is not valid", realm);
    const named = tenants?.(claims);
    return {
      principal: claims,
      scopes: scopes(claims),
      // A subject is unique within its issuer, and no further.
      ...(several && { owner: `${claims.iss ?? ""} ${claims.sub}` }),
      ...(named && { tenants: named }),
    };
  };
  return bearer(identify, {
    bearerFormat: "JWT",
    ...(scheme && { scheme }),
    ...(realm !== undefined && { realm }),
  });
}

function checkOptions({ jwks, key, issuer, audience, algorithms = asymmetricAlgorithms }: JwtOptions): void {
  if ((jwks === undefined) === (key === undefined)) throw config("give either jwks or key");
  // A caller without types may leave them out, and jose would then take any.
  const named: Readonly<Record<string, string | readonly string[] | undefined>> = { issuer, audience };
  for (const [name, value] of Object.entries(named)) {
    if (value === undefined || value.length === 0) throw config(`${name} must say whose tokens are taken`);
  }
  if (algorithms.length === 0) throw config("algorithms lists none");
  for (const algorithm of algorithms) {
    if (asymmetricAlgorithms.includes(algorithm)) continue;
    // A public key is no secret: whoever knows it could sign with it.
    if (/^HS\d+$/.test(algorithm) && key !== undefined) continue;
    throw config(`the algorithm ${algorithm} is not taken; there are ${asymmetricAlgorithms.join(", ")}`);
  }
}

/** Loads `jose` with the first token: a server without JWTs does not carry it. */
async function open(options: JwtOptions): Promise<Verify> {
  const { jwtVerify, createRemoteJWKSet, createLocalJWKSet } = await import("jose");
  const { jwks, key, algorithms = asymmetricAlgorithms, clockTolerance = 0, requiredClaims = [] } = options;
  const rules = {
    issuer: listOf(options.issuer),
    audience: listOf(options.audience),
    algorithms: [...algorithms],
    clockTolerance,
    // Without an end a stolen token is good for ever; without a subject nobody owns the tasks.
    requiredClaims: ["exp", "sub", ...requiredClaims],
  };
  if (key !== undefined) return async (token) => (await jwtVerify(token, key, rules)).payload;
  const keys = isUrl(jwks) ? createRemoteJWKSet(new URL(jwks)) : createLocalJWKSet(jwks ?? { keys: [] });
  return async (token) => (await jwtVerify(token, keys, rules)).payload;
}

/** A set that cannot be had is no fault of the caller; everything else is. */
function refusal(error: unknown, realm: string | undefined, fetched: boolean): A2AError {
  const code = codeOf(error);
  // A key that is at hand does not fail: then the token asks for an algorithm that the key is not for.
  if (fetched && (code === undefined || unavailable.has(code))) {
    return new A2AError("UNAVAILABLE", "The keys that tokens are checked with cannot be had now", {
      cause: error,
    });
  }
  const problem = code === "ERR_JWT_EXPIRED" ? "The token has expired" : "The token is not valid";
  return invalid(problem, realm, error);
}

function invalid(problem: string, realm: string | undefined, cause?: unknown): A2AError {
  const parameters = { ...(realm !== undefined && { realm }), error: "invalid_token" };
  return wrongCredentials(problem, challenge("Bearer", { ...parameters, error_description: problem }), cause);
}

/** Failures of `jose` that are about the set, not about the token. */
const unavailable: ReadonlySet<string> = new Set([
  "ERR_JOSE_GENERIC",
  "ERR_JWKS_INVALID",
  "ERR_JWKS_TIMEOUT",
]);

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error &&
  "code" in error &&
  typeof error.code === "string" &&
  error.code.startsWith("ERR_J")
    ? error.code
    : undefined;

const isUrl = (jwks: JwtOptions["jwks"]): jwks is string | URL =>
  typeof jwks === "string" || jwks instanceof URL;

const listOf = (value: string | readonly string[]): string[] =>
  typeof value === "string" ? [value] : [...value];

const config = (problem: string): A2AError => new A2AError("CONFIG", `jwt: ${problem}`);
