import type { JWK } from "jose";

/** Members of a private key, of every key type (RFC 7518 6.2.2, 6.3.2, 6.4.1; AKP keys have `priv`). */
const PRIVATE = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"] as const;

/** What makes up the public half, by key type; a member that is not here is never published. */
const PUBLIC: Readonly<Record<string, readonly string[]>> = {
  EC: ["crv", "x", "y"],
  OKP: ["crv", "x"],
  RSA: ["n", "e"],
};

/** What says something about a key and is no part of it. */
const ABOUT: readonly string[] = ["x5c", "x5t", "x5t#S256", "x5u", "exp", "nbf"];

/** The public half of a key, with what the key says about itself; undefined for a type that has none. */
export function publicHalf(key: JWK): JWK | undefined {
  const { kty } = key;
  const members = kty === undefined ? undefined : PUBLIC[kty];
  if (kty === undefined || members === undefined) return undefined;
  const kept = Object.entries(key).filter(([name]) => members.includes(name) || ABOUT.includes(name));
  return { kty, ...Object.fromEntries(kept) };
}

/** Whether a key holds anything that must stay with its owner. */
export const isPrivate = (key: JWK): boolean => PRIVATE.some((name) => Object.hasOwn(key, name));
