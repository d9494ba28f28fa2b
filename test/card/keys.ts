import { exportJWK, exportPKCS8, generateKeyPair, type JWK } from "jose";
import type { SigningKey } from "../../src/keys/types.js";

/** A key made for one test: what signs, and what others get to see. */
export interface TestKey {
  readonly signing: Omit<SigningKey, "key"> & { readonly key: JWK };
  readonly pem: string;
  readonly published: JWK & { readonly kid: string };
}

/** A new pair of keys. */
export async function testKey(kid = "k1", alg = "ES256"): Promise<TestKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return {
    signing: { kid, alg, key: await exportJWK(privateKey) },
    pem: await exportPKCS8(privateKey),
    published: { ...(await exportJWK(publicKey)), kid, alg },
  };
}
