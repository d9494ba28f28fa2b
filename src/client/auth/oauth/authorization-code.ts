import { A2AError } from "../../../errors.js";
import type { MaybePromise } from "../../../store/types.js";
import { endpoint } from "./endpoint.js";
import { oauthClient, type OAuthClient } from "./oauth-client.js";
import { oauthError } from "./oauth-error.js";
import type { OAuthOptions } from "./options.js";
import { tokenProvider, type TokenSource } from "./token-provider.js";
import type { Tokens } from "./tokens.js";

/** Options of `authorizationCode`. */
export interface AuthorizationCodeOptions extends OAuthOptions {
  readonly authorizationEndpoint?: string | undefined;
  /** Where the server sends the user back to; registered with it. */
  readonly redirectUri: string;
  /** Opens the URL for the user and gives the URL that the user came back with, whole: `redirectUri` and its query. */
  readonly authorize: (url: URL) => MaybePromise<URL | string>;
}

/**
 * OAuth 2 authorization code with PKCE (RFC 7636, S256) and `state`: a user signs in, with the first call or with
 * `token()`. Later tokens come by refresh token; without one, the user is asked again once the token is over.
 */
export function authorizationCode(options: AuthorizationCodeOptions): TokenSource {
  const name = "OAuth authorization code";
  return tokenProvider({
    options,
    open: oauthClient(options, { authorization_endpoint: options.authorizationEndpoint }),
    interactive: true,
    grant: (opened) => signIn(name, opened, options),
  });
}

async function signIn(
  name: string,
  opened: OAuthClient,
  { redirectUri, authorize, issuer }: AuthorizationCodeOptions,
): Promise<Tokens> {
  const { oauth, server, client, clientAuth, http, parameters } = opened;
  if (server.authorization_endpoint === undefined)
    throw new A2AError(
      "CONFIG",
      `${name}: the server has no authorization endpoint; give authorizationEndpoint`,
    );
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = endpoint("The authorization endpoint", server.authorization_endpoint);
  const query = {
    ...parameters,
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: redirectUri,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  };
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
  const back = await authorize(url);
  return opened.tokens(name, async () => {
    const answered = callback(name, back, redirectUri);
    // Nothing to compare it with.
    if (issuer === undefined) answered.searchParams.delete("iss");
    const answer = oauth.validateAuthResponse(server, client, answered, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      clientAuth,
      answer,
      redirectUri,
      verifier,
      { ...http, additionalParameters: resourceOf(parameters) },
    );
    return oauth.processAuthorizationCodeResponse(server, client, response);
  });
}

/** The scope was granted with the code; the token is asked for with the rest. */
const resourceOf = ({ scope: _, ...rest }: Record<string, string>): Record<string, string> => rest;

function callback(name: string, back: URL | string, redirectUri: string): URL {
  const text = String(back);
  const url = URL.canParse(text, redirectUri) ? new URL(text, redirectUri) : undefined;
  // Its query holds the code, so it is not shown.
  if (url === undefined) throw oauthError(name, new A2AError("CONFIG", `${name}: authorize gave no URL`));
  return url;
}
