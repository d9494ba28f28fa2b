import { DELIVERY_ID_HEADER } from "../push/delivery-id.js";
import { sha256 } from "../sha256.js";
import type { StreamResponse } from "../versions/pivot.js";
import type { HeaderReader } from "./header-of.js";

/**
 * By what a repeat is told: the `jti` of a JWT, which cannot be forged; else the name that the sender gives the delivery;
 * else the body. Not the body of a chunk: a text may say the same twice.
 */
export async function notificationKey(
  { artifactUpdate }: StreamResponse,
  body: Uint8Array<ArrayBuffer>,
  header: HeaderReader,
  jti: string | undefined,
): Promise<string | undefined> {
  const named = jti ?? header(DELIVERY_ID_HEADER.toLowerCase());
  if (named !== undefined) return named;
  return artifactUpdate?.append === true ? undefined : sha256(body);
}
