import { A2AError } from "../../../errors.js";
import type { MaybePromise } from "../../../store/types.js";
import type { AuthOperation } from "../types.js";
import { oauthClient } from "./oauth-client.js";
import type { OAuthOptions } from "./options.js";
import { tokenProvider, type TokenSource } from "./token-provider.js";

/** A token that goes into an exchange: itself, what gives it for each request, or credentials that have one. */
export type ExchangedToken =
  string | ((op: AuthOperation | undefined) => MaybePromise<string>) | Pick<TokenSource, "token">;

/** Options of `tokenExchange`. */
export interface TokenExchangeOptions extends Omit<OAuthOptions, "tokens" | "onTokens"> {
  /** On whose behalf is called: the token that the user showed to this agent. */
  readonly subjectToken: ExchangedToken;
  /** Default an access token (`urn:ietf:params:oauth:token-type:access_token`). */
  readonly subjectTokenType?: string | undefined;
  /** Who acts: a token of this agent, such as `clientCredentials(…)`. Default: the client's authentication says so. */
  readonly actorToken?: ExchangedToken | undefined;
  /** Default an access token. */
  readonly actorTokenType?: string | undefined;
  /** Logical name of the agent that the token is for. */
  readonly audience?: string | undefined;
}

const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";

/**
 * OAuth 2 token exchange (RFC 8693): an agent calls another one on behalf of its own caller. The token of the user is the
 * subject, the agent the actor; the token that comes of it is for `resource` or `audience` alone, and is kept for each
 * pair of subject and actor.
 */
export function tokenExchange(options: TokenExchangeOptions): TokenSource {
  const {
    subjectToken,
    subjectTokenType = ACCESS_TOKEN,
    actorToken,
    actorTokenType = ACCESS_TOKEN,
  } = options;
  const name = "OAuth token exchange";
  const source = tokenProvider({
    options,
    open: oauthClient(options),
    async keyOf(op) {
      const [subject, actor] = await Promise.all([
        tokenOf("subjectToken", subjectToken, op),
        actorToken === undefined ? undefined : tokenOf("actorToken", actorToken, op),
      ]);
      return JSON.stringify([subject, actor]);
    },
    grant: (opened, key) =>
      opened.tokens(name, async () => {
        const { oauth, server, client, clientAuth, http, parameters } = opened;
        const [subject, actor] = JSON.parse(key) as [string, string | null];
        const response = await oauth.genericTokenEndpointRequest(
          server,
          client,
          clientAuth,
          "urn:ietf:params:oauth:grant-type:token-exchange",
          {
            ...parameters,
            ...(options.audience !== undefined && { audience: options.audience }),
            requested_token_type: ACCESS_TOKEN,
            subject_token: subject,
            subject_token_type: subjectTokenType,
            ...(actor !== null && { actor_token: actor, actor_token_type: actorTokenType }),
          },
          http,
        );
        return oauth.processGenericTokenEndpointResponse(server, client, response);
      }),
  });
  return {
    ...source,
    forScheme: (_, scopes) =>
      options.scope === undefined && scopes.length > 0
        ? tokenExchange({ ...options, scope: scopes })
        : source,
  };
}

async function tokenOf(name: string, token: ExchangedToken, op: AuthOperation | undefined): Promise<string> {
  const value: unknown =
    typeof token === "string" ? token : typeof token === "function" ? await token(op) : await token.token(op);
  if (typeof value === "string" && value !== "") return value;
  throw new A2AError("CONFIG", `tokenExchange: ${name} gave no token`);
}
