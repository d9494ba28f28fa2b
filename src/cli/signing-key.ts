import { createPrivateKey } from "node:crypto";
import type { JWK } from "jose";
import { isObject } from "../codec/json.js";
import type { SigningKey } from "../keys/types.js";
import { CliFailure } from "./failure.js";
import { readLocal } from "./read-local.js";

/** A private key of a file: a JWK, or a PEM text with a `kid` besides. No failure shows anything of the key. */
export async function readSigningKey(
  path: string,
  given: { readonly kid?: string | undefined; readonly alg?: string | undefined },
): Promise<SigningKey> {
  const text = await readLocal(path);
  const key = text.trimStart().startsWith("{") ? jwkOf(text, path) : pemOf(text, path);
  if (typeof key.d !== "string") throw new CliFailure(`${path} holds no private key`);
  const kid = given.kid ?? key.kid;
  if (!kid) throw new CliFailure(`the key in ${path} has no kid: name it with --kid`, 2);
  const alg = given.alg ?? key.alg ?? algorithmOf(key);
  if (alg === undefined)
    throw new CliFailure(`say with --alg which algorithm the key in ${path} signs with`, 2);
  return { kid, alg, key };
}

function jwkOf(text: string, path: string): JWK {
  try {
    const json: unknown = JSON.parse(text);
    if (isObject(json) && typeof json["kty"] === "string") return { ...json, kty: json["kty"] };
  } catch {
    // The reason of the parser would show a piece of the key.
  }
  throw new CliFailure(`${path} is neither a JWK nor PEM text`);
}

function pemOf(text: string, path: string): JWK {
  try {
    const { kty = "", ...rest } = createPrivateKey(text).export({ format: "jwk" });
    return { ...rest, kty };
  } catch {
    throw new CliFailure(`${path} is neither a JWK nor a private key in PEM text without a passphrase`);
  }
}

const BY_CURVE: Readonly<Record<string, string>> = {
  "P-256": "ES256",
  "P-384": "ES384",
  "P-521": "ES512",
  Ed25519: "EdDSA",
};

const algorithmOf = ({ kty, crv = "" }: JWK): string | undefined => (kty === "RSA" ? "RS256" : BY_CURVE[crv]);
