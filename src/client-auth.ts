/** `a2a-typed/client-auth`: credentials for the agents that a client calls. */
export { allOf } from "./client/auth/all-of.js";
export { apiKey, type ApiKeyOptions } from "./client/auth/api-key.js";
export { authenticated } from "./client/auth/authenticated.js";
export { basic } from "./client/auth/basic.js";
export { bearer } from "./client/auth/bearer.js";
export { credentials, type Credential, type CredentialsOptions } from "./client/auth/credentials.js";
export type { Secret } from "./client/auth/secret.js";
export type { Auth, AuthOperation, AuthRefusal, ClientAuth } from "./client/auth/types.js";
export { authorizationCode, type AuthorizationCodeOptions } from "./client/auth/oauth/authorization-code.js";
export { clientCredentials } from "./client/auth/oauth/client-credentials.js";
export { deviceCode, type DeviceCodeOptions, type DevicePrompt } from "./client/auth/oauth/device-code.js";
export type { OAuthOptions } from "./client/auth/oauth/options.js";
export { refreshToken, type RefreshTokenOptions } from "./client/auth/oauth/refresh-token.js";
export {
  tokenExchange,
  type ExchangedToken,
  type TokenExchangeOptions,
} from "./client/auth/oauth/token-exchange.js";
export type { TokenSource } from "./client/auth/oauth/token-provider.js";
export type { Tokens } from "./client/auth/oauth/tokens.js";
