import type { Keys } from "../keys/types.js";
import { sha256 } from "../sha256.js";

/** Header of the JWT where `Authorization` holds the credentials of the registration. */
export const JWT_HEADER = "X-A2A-Notification-JWT";
/** Claim with the SHA-256 of the body, in hexadecimal: what binds a JWT to what was sent with it. */
export const BODY_HASH_CLAIM = "request_body_sha256";

/** What deliveries are signed with, besides the keys of the server. */
export interface SignOptions {
  /** `iss`. Default: the public URL of the server. */
  readonly issuer?: string;
  /** `aud`. Default: the URL of the webhook as it was registered. */
  readonly audience?: string | ((url: string) => string);
  /** Seconds from `iat` to `exp`. Default 300. */
  readonly ttlSeconds?: number;
  /** Further claims; those of the delivery win. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** What a JWT says of one delivery. */
export interface SignedDelivery {
  /** Names the delivery: `jti`. */
  readonly id: string;
  readonly taskId: string;
  readonly url: string;
  readonly body: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Makes the JWT of a delivery. */
export type DeliverySigner = (delivery: SignedDelivery) => Promise<string>;

/** Seconds that a JWT is good for. */
const TTL = 300;

/**
 * A signer by the first key of the server. The claims are `iss`, `aud`, `iat`, `exp`, `jti`, `taskId` and
 * `request_body_sha256` (A2A-SA-i); `url` is that of the server.
 */
export const deliverySigner =
  (
    keys: Pick<Keys, "signJwt">,
    { issuer, audience, ttlSeconds = TTL, claims }: SignOptions,
    url: () => string,
  ): DeliverySigner =>
  async ({ id, taskId, url: webhook, body, now }) => {
    const iat = Math.floor(now / 1_000);
    return keys.signJwt({
      ...claims,
      iss: issuer ?? url(),
      aud: typeof audience === "function" ? audience(webhook) : (audience ?? webhook),
      iat,
      exp: iat + ttlSeconds,
      jti: id,
      taskId,
      [BODY_HASH_CLAIM]: await sha256(body),
    });
  };
