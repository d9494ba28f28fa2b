import type { MaybePromise } from "../store/types.js";
import type { SecurityScheme } from "../versions/pivot.js";
import { credentialsOf } from "./authorization.js";
import { challenge, challengeOf } from "./challenge.js";
import { knownSecrets } from "./known-secrets.js";
import type { Authenticator, AuthRequest, Identity } from "./types.js";
import { wrongCredentials } from "./wrong-credentials.js";

/** Whose a token is; undefined where it is nobody's. */
export type VerifyToken = (token: string, request: AuthRequest) => MaybePromise<Identity | undefined>;

/** Options of `bearer`. */
export interface BearerOptions {
  /** Named in the challenge. */
  readonly realm?: string;
  /** A hint for readers of the card, e.g. `JWT` or `opaque`. */
  readonly bearerFormat?: string;
  /** What the card says instead of HTTP Bearer: `oauth2SecurityScheme`, `openIdConnectSecurityScheme`. */
  readonly scheme?: SecurityScheme;
}

/** `Authorization: Bearer …`: tokens that a function knows, or a list of them with their owners. */
export function bearer(
  verify: VerifyToken | Readonly<Record<string, Identity>>,
  options: BearerOptions = {},
): Authenticator {
  const look: VerifyToken = typeof verify === "function" ? verify : knownSecrets(verify);
  const { realm, bearerFormat } = options;
  const scheme = options.scheme ?? {
    httpAuthSecurityScheme: { scheme: "Bearer", ...(bearerFormat !== undefined && { bearerFormat }) },
  };
  const invalid = challenge("Bearer", { ...(realm !== undefined && { realm }), error: "invalid_token" });
  return {
    scheme,
    challenge: challengeOf(scheme, realm),
    async authenticate(request) {
      const token = credentialsOf(request.headers["authorization"], "Bearer");
      if (token === undefined) return undefined;
      const identity = token === "" ? undefined : await look(token, request);
      if (identity === undefined) throw wrongCredentials("The bearer token is not valid", invalid);
      return identity;
    },
  };
}
