import { A2AError } from "../../../errors.js";
import { oauthClient } from "./oauth-client.js";
import type { OAuthOptions } from "./options.js";
import { tokenProvider, type TokenSource } from "./token-provider.js";

/** Options of `refreshToken`. */
export interface RefreshTokenOptions extends OAuthOptions {
  /** The refresh token to begin with. Servers may give another one each time: keep those that `onTokens` is told. */
  readonly refreshToken: string;
}

/** Access tokens by a refresh token that was got elsewhere (RFC 6749 6). */
export function refreshToken({ refreshToken: first, ...options }: RefreshTokenOptions): TokenSource {
  return tokenProvider({
    options: { ...options, tokens: options.tokens ?? { accessToken: "", refreshToken: first, expiresAt: 0 } },
    open: oauthClient(options),
    interactive: true,
    grant: () =>
      Promise.reject(
        new A2AError(
          "UNAUTHENTICATED",
          "OAuth refresh: the refresh token is no good any more; sign in again",
        ),
      ),
  });
}
