import type { JSONWebKeySet, JWTPayload, JWTVerifyGetKey } from "jose";
import { A2AError } from "../errors.js";
import { asymmetricAlgorithms } from "../keys/algorithms.js";
import { BODY_HASH_CLAIM, JWT_HEADER } from "../push/delivery-jwt.js";
import { sha256 } from "../sha256.js";
import type { HeaderReader } from "./header-of.js";
import { unauthenticated } from "./refusals.js";
import type { VerifyOptions } from "./types.js";

/** Sets of keys that are fetched are kept, by URL, so many of them. */
const SETS = 100;
const remote = new Map<string, JWTVerifyGetKey>();

/** A JWT that was accepted, whose body is still to be compared. */
export interface AcceptedJwt {
  readonly claims: JWTPayload;
  /** Refuses a body that is not the one that was signed. */
  covers(body: Uint8Array<ArrayBuffer>): Promise<void>;
}

/**
 * Checks the JWT of a notification: signature, issuer, audience, age. It is in a header of its own, or in `Authorization`
 * where no other credentials were registered.
 */
export async function checkJwt(
  header: HeaderReader,
  jwks: NonNullable<VerifyOptions["jwks"]>,
  options: VerifyOptions,
): Promise<AcceptedJwt> {
  const token = header(JWT_HEADER.toLowerCase()) ?? bearerOf(header, options);
  if (token === undefined) throw unauthenticated("The notification has no JWT");
  const { jwtVerify, createLocalJWKSet, createRemoteJWKSet, errors } = await import("jose");
  const { issuer, audience, maxAgeSeconds = 300, clockToleranceSeconds = 30, now = Date.now } = options;
  let claims: JWTPayload;
  try {
    const keys = isSet(jwks) ? createLocalJWKSet(jwks) : remoteSet(jwks, createRemoteJWKSet);
    const verified = await jwtVerify(token, keys, {
      // Never a shared secret, never nothing.
      algorithms: [...asymmetricAlgorithms],
      ...(issuer !== undefined && { issuer: listOf(issuer) }),
      ...(audience !== undefined && audience !== false && { audience: listOf(audience) }),
      maxTokenAge: maxAgeSeconds,
      clockTolerance: clockToleranceSeconds,
      currentDate: new Date(now()),
    });
    claims = verified.payload;
  } catch (error) {
    const isVerdict =
      error instanceof errors.JOSEError &&
      !(error instanceof errors.JWKSTimeout) &&
      error.code !== "ERR_JOSE_GENERIC";
    if (isVerdict) throw unauthenticated("The JWT of the notification is not accepted", "Bearer", error);
    // The sender has done nothing wrong, and tries again.
    throw new A2AError("UNAVAILABLE", "The keys of the agent cannot be had now", {
      status: 503,
      cause: error,
    });
  }
  return {
    claims,
    async covers(body) {
      const hash = claims[BODY_HASH_CLAIM];
      if (hash === undefined || hash !== (await sha256(body))) {
        throw unauthenticated("The JWT of the notification is not of this body");
      }
    },
  };
}

function bearerOf(header: HeaderReader, { authentication }: VerifyOptions): string | undefined {
  if (authentication !== undefined) return undefined;
  return /^Bearer +(\S+)$/i.exec(header("authorization") ?? "")?.[1];
}

function remoteSet(jwks: string | URL, create: (url: URL) => JWTVerifyGetKey): JWTVerifyGetKey {
  const url = String(jwks);
  let set = remote.get(url);
  if (set === undefined) {
    set = create(new URL(url));
    remote.set(url, set);
    const [oldest = ""] = remote.size > SETS ? remote.keys() : [];
    remote.delete(oldest);
  }
  return set;
}

const isSet = (jwks: string | URL | JSONWebKeySet): jwks is JSONWebKeySet =>
  typeof jwks === "object" && "keys" in jwks;

const listOf = (value: string | readonly string[]): string[] =>
  typeof value === "string" ? [value] : [...value];
