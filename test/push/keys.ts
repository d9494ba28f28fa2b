/** A key pair of a server under test. */
import { exportJWK, generateKeyPair, type JSONWebKeySet, type JWK } from "jose";
import { openKeys } from "../../src/keys/open-keys.js";
import type { KeyOptions } from "../../src/server.js";

/** Keys made anew: the option of a server, what it opens to, and what a receiver fetches. */
export async function testKeys(kid = "k1") {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const key: JWK = await exportJWK(privateKey);
  const options: KeyOptions = { signing: [{ kid, alg: "ES256", key }] };
  const keys = openKeys(options);
  const jwks = JSON.parse(await keys.jwks()) as JSONWebKeySet;
  return { options, keys, jwks };
}
