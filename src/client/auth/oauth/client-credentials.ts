import { oauthClient } from "./oauth-client.js";
import type { OAuthOptions } from "./options.js";
import { tokenProvider, type TokenSource } from "./token-provider.js";

/** OAuth 2 client credentials (RFC 6749 4.4): the client speaks for itself. */
export function clientCredentials(options: OAuthOptions): TokenSource {
  const source = tokenProvider({
    options,
    open: oauthClient(options),
    grant: (opened) =>
      opened.tokens("OAuth client credentials", async () => {
        const { oauth, server, client, clientAuth, http, parameters } = opened;
        const response = await oauth.clientCredentialsGrantRequest(
          server,
          client,
          clientAuth,
          parameters,
          http,
        );
        return oauth.processClientCredentialsResponse(server, client, response);
      }),
  });
  return {
    ...source,
    forScheme: (_, scopes) =>
      options.scope === undefined && scopes.length > 0
        ? clientCredentials({ ...options, scope: scopes })
        : source,
  };
}
