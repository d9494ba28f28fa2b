/**
 * JWS algorithms with a private and a public half (RFC 7518, RFC 8037, RFC 9864). `none` and the symmetric ones are
 * none of them: whoever can check such a signature could also make it.
 */
export const asymmetricAlgorithms: readonly string[] = [
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
  "PS256",
  "PS384",
  "PS512",
  "RS256",
  "RS384",
  "RS512",
];
