import type * as oauth from "oauth4webapi";
import { A2AError } from "../../../errors.js";
import { endpoint } from "./endpoint.js";
import { oauthError } from "./oauth-error.js";
import { oauthFetch } from "./oauth-fetch.js";
import type { OAuthOptions } from "./options.js";
import type { Tokens } from "./tokens.js";

type Library = typeof oauth;

/** The library, and the first arguments of its functions. */
export interface OAuthClient {
  readonly oauth: Library;
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly clientAuth: oauth.ClientAuth;
  readonly http: oauth.TokenEndpointRequestOptions;
  /** Scope, resource and what else the options ask for. */
  readonly parameters: Record<string, string>;
  /** Tokens of an answer; any failure as an `A2AError` that holds no secret. */
  tokens(what: string, answer: () => Promise<oauth.TokenEndpointResponse>): Promise<Tokens>;
}

/** Endpoints besides that for tokens. */
export interface Endpoints {
  readonly authorization_endpoint?: string | undefined;
  readonly device_authorization_endpoint?: string | undefined;
}

/**
 * Opens a client at its authorization server with the first token: loads the library, and discovers the endpoints that are
 * not given. A failed discovery is tried again with the next token.
 */
export function oauthClient(options: OAuthOptions, endpoints: Endpoints = {}): () => Promise<OAuthClient> {
  const { issuer, tokenEndpoint, now = Date.now } = options;
  if (issuer === undefined && tokenEndpoint === undefined)
    throw new A2AError("CONFIG", "OAuth: give the issuer, or the tokenEndpoint");
  if (options.clientId === "") throw new A2AError("CONFIG", "OAuth: clientId is empty");
  const base = issuer === undefined ? undefined : endpoint("issuer", issuer);
  const given = Object.entries({ ...endpoints, token_endpoint: tokenEndpoint }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, endpoint(name, value).href] as const],
  );
  let opening: Promise<OAuthClient> | undefined;

  async function open(): Promise<OAuthClient> {
    const library = await import("oauth4webapi");
    const send = oauthFetch(options);
    // Each URL is looked at in `oauthFetch`, which lets loopback addresses pass.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated to make it stand out
    const http = { [library.customFetch]: send, [library.allowInsecureRequests]: true };
    const complete = given.length === Object.keys(endpoints).length + 1;
    const server: oauth.AuthorizationServer = {
      issuer: issuer ?? new URL(tokenEndpoint ?? "").origin,
      ...(base && !complete && (await discover(library, base, http))),
      ...Object.fromEntries(given),
    };
    return {
      oauth: library,
      server,
      client: { client_id: options.clientId },
      clientAuth: clientAuthOf(library, options),
      http,
      parameters: parametersOf(options),
      async tokens(what, answer) {
        try {
          const { access_token, refresh_token, expires_in, scope, token_type } = await answer();
          if (token_type !== "bearer")
            throw new A2AError("DECODE", `${what}: the authorization server gave no bearer token`);
          const issuedAt = now();
          return {
            accessToken: access_token,
            issuedAt,
            ...(refresh_token !== undefined && { refreshToken: refresh_token }),
            ...(expires_in !== undefined && { expiresAt: issuedAt + expires_in * 1000 }),
            ...(scope !== undefined && { scope }),
          };
        } catch (error) {
          throw oauthError(what, error);
        }
      },
    };
  }

  return () =>
    (opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    }));
}

/** RFC 8414 first, then OpenID Connect. */
async function discover(
  library: Library,
  issuer: URL,
  http: oauth.HttpRequestOptions<"GET">,
): Promise<oauth.AuthorizationServer> {
  const ask = async (algorithm: "oauth2" | "oidc"): Promise<oauth.AuthorizationServer> => {
    const response = await library.discoveryRequest(issuer, { ...http, algorithm });
    return library.processDiscoveryResponse(issuer, response);
  };
  try {
    return await ask("oauth2").catch((error: unknown) => {
      if (error instanceof A2AError) throw error;
      return ask("oidc");
    });
  } catch (error) {
    throw oauthError(`The metadata of ${issuer.origin}`, error);
  }
}

function clientAuthOf(library: Library, options: OAuthOptions): oauth.ClientAuth {
  const { clientSecret, clientAuth = "basic", privateKey } = options;
  if (privateKey !== undefined) return library.PrivateKeyJwt(privateKey);
  if (clientSecret === undefined) return library.None();
  return clientAuth === "post"
    ? library.ClientSecretPost(clientSecret)
    : library.ClientSecretBasic(clientSecret);
}

function parametersOf({ scope, resource, parameters = {} }: OAuthOptions): Record<string, string> {
  const scopes = typeof scope === "string" ? scope : (scope ?? []).join(" ");
  return {
    ...parameters,
    ...(scopes !== "" && { scope: scopes }),
    ...(resource !== undefined && { resource }),
  };
}
