import type { JWK } from "jose";

/** A private key that signs cards or webhooks. */
export interface SigningKey {
  /** `kid` of the protected header and of the published key. */
  readonly kid: string;
  /** JWS algorithm, asymmetric: `ES256`, `EdDSA`, `RS256`, `PS256`, … */
  readonly alg: string;
  /** A private JWK, or a PKCS #8 PEM text. */
  readonly key: JWK | string;
}

/** Keys that are published but sign nothing any more (rotation). */
export type PublicKey = JWK & { readonly kid: string };

/** The keys of a server (`keys` option). Their public halves are served as a JWKS. */
export interface KeyOptions {
  /** The first signs. */
  readonly signing: readonly [SigningKey, ...SigningKey[]];
  /** Published besides. */
  readonly published?: readonly PublicKey[];
  /** Path of the JWKS below the origin. Default `/.well-known/jwks.json`. */
  readonly path?: string;
  /** Public URL of the JWKS, as `jku` of what is signed. Default: the server's origin with `path`. */
  readonly url?: string;
}

/** What `sign` makes: a JWS in flattened form whose payload is known elsewhere (RFC 7515 7.2.2, appendix F). */
export interface DetachedSignature {
  /** The protected header, base64url. */
  readonly protected: string;
  /** The signature, base64url. */
  readonly signature: string;
}

/** Opened keys: what signing needs. */
export interface Keys {
  /** Signs a compact JWS or JWT with the first key; `protectedHeader` is added to `alg`, `kid`, `jku`. */
  signJwt(
    claims: Readonly<Record<string, unknown>>,
    protectedHeader?: Readonly<Record<string, unknown>>,
  ): Promise<string>;
  /** Signs bytes with the first key; the header as for `signJwt`. */
  sign(payload: Uint8Array, protectedHeader?: Readonly<Record<string, unknown>>): Promise<DetachedSignature>;
  /** The public halves, as JSON text of a JWKS. */
  jwks(): Promise<string>;
  /** Reads every key; rejects with `CONFIG` where one cannot be read, or cannot sign with its algorithm. */
  ready(): Promise<void>;
}
