import { A2AError } from "../errors.js";
import { asymmetricAlgorithms } from "./algorithms.js";
import { isPrivate, publicHalf } from "./public-half.js";
import type { KeyOptions, PublicKey, SigningKey } from "./types.js";

/** Throws `CONFIG` where the options name keys that cannot sign or must not be published; never shows a key. */
export function checkKeys({ signing, published = [], path }: KeyOptions): void {
  // A caller without types may pass none.
  if ((signing as readonly SigningKey[]).length === 0) throw config("signing lists no key");
  if (path !== undefined && !path.startsWith("/")) throw config(`path ${path} does not start with a slash`);
  const known = new Set<string>();
  for (const { kid } of [...signing, ...published]) {
    if (typeof kid !== "string" || kid === "") throw config("a key has no kid");
    if (known.has(kid)) throw config(`two keys have the kid ${kid}`);
    known.add(kid);
  }
  signing.forEach(checkSigning);
  published.forEach(checkPublished);
}

function checkSigning({ kid, alg, key }: SigningKey): void {
  if (!asymmetricAlgorithms.includes(alg)) {
    throw config(
      `key ${kid} has the algorithm ${alg}; what others verify needs one of ${asymmetricAlgorithms.join(", ")}`,
    );
  }
  if (typeof key === "string") {
    if (!key.includes("-----BEGIN PRIVATE KEY-----")) throw config(`key ${kid} is no PKCS #8 PEM text`);
    return;
  }
  if (publicHalf(key) === undefined) throw config(`key ${kid} has a key type that cannot sign for others`);
  if (!isPrivate(key)) throw config(`key ${kid} has no private part, so nothing can be signed with it`);
}

function checkPublished(key: PublicKey): void {
  if (publicHalf(key) === undefined) throw config(`published key ${key.kid} has no public half`);
  if (isPrivate(key)) {
    throw config(
      `published key ${key.kid} holds its private part; pass the public one, or list it in signing`,
    );
  }
}

/** A problem with the option `keys`. */
export const config = (problem: string, cause?: unknown): A2AError =>
  new A2AError("CONFIG", `keys: ${problem}`, { cause });
