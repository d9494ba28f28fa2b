import type { MaybePromise } from "../../../store/types.js";
import type { AuthOperation, ClientAuth } from "../types.js";
import { oauthCode } from "./oauth-error.js";
import type { OAuthClient } from "./oauth-client.js";
import type { OAuthOptions } from "./options.js";
import { createTokenCache } from "./token-cache.js";
import type { Tokens } from "./tokens.js";

/** Credentials that are access tokens. */
export interface TokenSource extends ClientAuth {
  /** The access token that a request would show: ask before the first call where somebody has to sign in. */
  token(op?: AuthOperation): Promise<string>;
}

/** How new tokens are got. */
export interface TokenGrant {
  readonly open: () => Promise<OAuthClient>;
  readonly options: OAuthOptions;
  /** Gets tokens anew. */
  readonly grant: (client: OAuthClient, key: string) => Promise<Tokens>;
  /** Somebody has to do something for it: not in the middle of a call that was refused. */
  readonly interactive?: boolean;
  /** What tokens depend on, for each request; they are kept by it. Default: one for all. */
  readonly keyOf?: (op: AuthOperation | undefined) => MaybePromise<string>;
}

/** Access tokens as credentials: kept until they end, renewed by refresh token where there is one, replaced after a 401. */
export function tokenProvider({ open, options, grant, interactive, keyOf }: TokenGrant): TokenSource {
  const { skewMs = 30_000, now = Date.now, tokens: initial, onTokens } = options;
  const cache = createTokenCache({ skewMs, now });
  if (initial !== undefined) cache.set("", initial);
  const shown = new WeakMap<AuthOperation, { readonly key: string; readonly token: string }>();

  async function obtain(key: string, old: Tokens | undefined): Promise<Tokens> {
    const client = await open();
    const tokens = (await renewed(client, old)) ?? (await grant(client, key));
    if (key === "") onTokens?.(tokens);
    return tokens;
  }

  /** Undefined where there is no refresh token, or it is no good any more. */
  async function renewed(client: OAuthClient, old: Tokens | undefined): Promise<Tokens | undefined> {
    const refreshToken = old?.refreshToken;
    if (refreshToken === undefined) return undefined;
    const { oauth, server, client: id, clientAuth, http, parameters } = client;
    let dead = false;
    const tokens = await client
      .tokens("OAuth refresh", async () => {
        try {
          const request = { ...http, additionalParameters: parameters };
          const response = await oauth.refreshTokenGrantRequest(
            server,
            id,
            clientAuth,
            refreshToken,
            request,
          );
          return await oauth.processRefreshTokenResponse(server, id, response);
        } catch (error) {
          dead = oauthCode(error) === "invalid_grant";
          throw error;
        }
      })
      .catch((error: unknown) => {
        if (dead) return undefined;
        throw error;
      });
    // Servers that do not rotate them do not send them again.
    return tokens && { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken };
  }

  async function tokenOf(op: AuthOperation | undefined): Promise<string> {
    const key = (await keyOf?.(op)) ?? "";
    const { accessToken } = await cache.get(key, (old) => obtain(key, old));
    if (op) shown.set(op, { key, token: accessToken });
    return accessToken;
  }

  return {
    token: tokenOf,
    headers: async (op) => ({ authorization: `Bearer ${await tokenOf(op)}` }),
    refused(op) {
      const was = shown.get(op);
      if (was === undefined) return false;
      cache.drop(was.key, was.token);
      const now = cache.peek(was.key);
      // Another call may have got a new one in the meantime.
      return !interactive || now?.refreshToken !== undefined || now?.accessToken !== was.token;
    },
  };
}
