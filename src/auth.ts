/** `a2a-typed/auth`: who calls. Authenticators for the `auth` option of a server. */
export { apiKey, type ApiKeyOptions } from "./auth/api-key.js";
export { basic, type BasicOptions, type VerifyPassword } from "./auth/basic.js";
export { bearer, type BearerOptions, type VerifyToken } from "./auth/bearer.js";
export { custom } from "./auth/custom.js";
export { jwt, type JwtOptions } from "./auth/jwt.js";
export { mtls, type VerifyCertificate } from "./auth/mtls.js";
export type { Authenticator, AuthOptions, AuthRequest, Granted, Identity } from "./auth/types.js";
