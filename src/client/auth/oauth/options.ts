import type { FetchLike } from "../../fetch-like.js";
import type { Tokens } from "./tokens.js";

/** An OAuth 2 client at its authorization server. */
export interface OAuthOptions {
  /**
   * Issuer of the authorization server (`https://login.example.com`), whose endpoints are discovered (RFC 8414, OpenID
   * Connect). Not needed where the endpoints are given. Take neither from a card: they get the secret.
   */
  readonly issuer?: string | undefined;
  /** `https:`, or `http:` on a loopback address; as all endpoints. */
  readonly tokenEndpoint?: string | undefined;
  readonly clientId: string;
  /** Without secret and key, the client is a public one. */
  readonly clientSecret?: string | undefined;
  /** How the secret is shown. Default `basic`. */
  readonly clientAuth?: "basic" | "post" | undefined;
  /** Signs assertions instead of a secret (`private_key_jwt`, RFC 7523). */
  readonly privateKey?: CryptoKey | { readonly key: CryptoKey; readonly kid?: string } | undefined;
  /** Scopes to ask for. Default for client credentials and exchange: those that the card asks for. */
  readonly scope?: string | readonly string[] | undefined;
  /** The agent that tokens are for (RFC 8707): its URL. */
  readonly resource?: string | undefined;
  /** Further parameters of the request for a token, such as `audience`. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /** Default: the global one. `networkGuard().fetch` of `a2a-typed/node` calls no private addresses. */
  readonly fetch?: FetchLike | undefined;
  /** Time for one request to the authorization server, in ms; default 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Largest answer of it, in bytes; default 65,536. */
  readonly maxBytes?: number | undefined;
  /** How long before its end a token is replaced, in ms; default 30,000, at most half its life. */
  readonly skewMs?: number | undefined;
  /** Tokens from an earlier run. Not for exchanges. */
  readonly tokens?: Tokens | undefined;
  /** Told about new tokens, to keep them for the next run. Not of exchanges. */
  readonly onTokens?: ((tokens: Tokens) => void) | undefined;
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}
