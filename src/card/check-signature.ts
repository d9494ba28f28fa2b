import type { JWK } from "jose";
import { A2AError } from "../errors.js";
import type { CardForm } from "./canonical-card.js";
import { keyProblem } from "./key-problem.js";
import type { KeyResolver } from "./key-resolver.js";
import { readSignature } from "./protected-header.js";

/**
 * Why a signature does not count. `MALFORMED`: it cannot be read, or there are too many. `ALGORITHM_NOT_ALLOWED`: `none`, symmetric, or not on
 * the list. `KEY_NOT_AVAILABLE`: no trusted key, or it could not be fetched. `KEY_NOT_USABLE`: expired, not valid yet, or
 * for something else. `MISMATCH`: it was not made over this card with this key.
 */
export type SignatureProblem =
  "MALFORMED" | "ALGORITHM_NOT_ALLOWED" | "KEY_NOT_AVAILABLE" | "KEY_NOT_USABLE" | "MISMATCH";

/** What came of one signature. */
export type SignatureCheck =
  | {
      readonly verified: true;
      readonly index: number;
      readonly kid: string;
      readonly alg: string;
      /** The form that was signed. */
      readonly form: CardForm;
      /** The key that verified it. */
      readonly key: JWK;
    }
  | {
      readonly verified: false;
      readonly index: number;
      readonly kid?: string;
      readonly alg?: string;
      readonly reason: SignatureProblem;
      readonly message: string;
    };

/** What one signature is checked with. */
export interface SignatureContext {
  readonly payloads: readonly { readonly form: CardForm; readonly bytes: Uint8Array }[];
  readonly algorithms: readonly string[];
  readonly resolver: KeyResolver;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Checks one entry of `signatures`. Never rejects. */
export async function checkSignature(
  entry: unknown,
  index: number,
  { payloads, algorithms, resolver, now }: SignatureContext,
): Promise<SignatureCheck> {
  const read = readSignature(entry);
  const refuse = (reason: SignatureProblem, problem: string): SignatureCheck => ({
    verified: false,
    index,
    ...(read.header?.kid !== undefined && { kid: read.header.kid }),
    ...(read.header?.alg !== undefined && { alg: read.header.alg }),
    reason,
    message: `Signature ${String(index)} ${problem}`,
  });
  if (read.problem !== undefined) return refuse("MALFORMED", read.problem);
  const { alg, kid } = read.header;
  if (!algorithms.includes(alg)) {
    return refuse("ALGORITHM_NOT_ALLOWED", `has the algorithm ${alg}; accepted are ${algorithms.join(", ")}`);
  }
  let key: JWK | undefined;
  try {
    key = await resolver(read.header);
  } catch (error) {
    return refuse("KEY_NOT_AVAILABLE", `has key ${kid}: ${A2AError.from(error).message}`);
  }
  if (key === undefined) return refuse("KEY_NOT_AVAILABLE", `is by key ${kid}, which is not a trusted one`);
  const problem = keyProblem(key, alg, now);
  if (problem !== undefined) return refuse("KEY_NOT_USABLE", `is by key ${kid}, which ${problem}`);

  const jose = await import("jose");
  let opened: Awaited<ReturnType<typeof jose.importJWK>>;
  try {
    opened = await jose.importJWK(key, alg);
  } catch {
    return refuse("KEY_NOT_USABLE", `is by key ${kid}, which cannot be read as a key for ${alg}`);
  }
  for (const { form, bytes } of payloads) {
    try {
      const jws = {
        protected: read.protected,
        signature: read.signature,
        payload: jose.base64url.encode(bytes),
      };
      await jose.flattenedVerify(jws, opened, { algorithms: [alg] });
      return { verified: true, index, kid, alg, form, key };
    } catch {
      // Another form may be the one that was signed.
    }
  }
  return refuse("MISMATCH", `was not made over this card by key ${kid}`);
}
