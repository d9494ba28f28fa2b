import type { MaybePromise } from "../store/types.js";
import { credentialsOf } from "./authorization.js";
import { challenge } from "./challenge.js";
import type { Authenticator, AuthRequest, Identity } from "./types.js";
import { wrongCredentials } from "./wrong-credentials.js";

/** Who this is; undefined where user and password do not belong together. Compare hashes of passwords, in constant time. */
export type VerifyPassword = (
  user: string,
  password: string,
  request: AuthRequest,
) => MaybePromise<Identity | undefined>;

/** Options of `basic`. */
export interface BasicOptions {
  /** Named in the challenge, as RFC 7617 requires. Default `agent`. */
  readonly realm?: string;
}

/** `Authorization: Basic …` (RFC 7617), in UTF-8. */
export function basic(verify: VerifyPassword, { realm = "agent" }: BasicOptions = {}): Authenticator {
  return {
    scheme: { httpAuthSecurityScheme: { scheme: "Basic" } },
    challenge: challenge("Basic", { realm, charset: "UTF-8" }),
    async authenticate(request) {
      const credentials = credentialsOf(request.headers["authorization"], "Basic");
      if (credentials === undefined) return undefined;
      const pair = decodePair(credentials);
      const identity = pair && (await verify(pair.user, pair.password, request));
      if (identity === undefined) throw wrongCredentials("User or password is wrong");
      return identity;
    },
  };
}

const decodePair = (credentials: string): { user: string; password: string } | undefined => {
  try {
    const bytes = Uint8Array.from(atob(credentials), (character) => character.charCodeAt(0));
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const colon = text.indexOf(":");
    return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
  } catch {
    return undefined;
  }
};
