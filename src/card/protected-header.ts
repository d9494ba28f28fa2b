import { fromBase64url } from "../base64url.js";

/** What the protected header of a card's signature says (A2A-8.4.2). */
export interface ProtectedHeader {
  readonly alg: string;
  readonly kid: string;
  readonly typ?: string;
  /** Where the signer says that its keys are; it proves nothing. */
  readonly jku?: string;
}

/** One signature as it was received, with its header read; or why it cannot be checked. */
export type ReadSignature =
  | {
      readonly header: ProtectedHeader;
      readonly protected: string;
      readonly signature: string;
      readonly problem?: never;
    }
  | { readonly header?: Partial<ProtectedHeader>; readonly problem: string };

/** Reads one entry of `signatures` (RFC 7515 7.2): what is not exactly so is a problem, never a guess. */
export function readSignature(entry: unknown): ReadSignature {
  if (!isObject(entry)) return { problem: "is no object" };
  const { protected: encoded, signature, header: unprotected } = entry;
  if (typeof encoded !== "string" || encoded === "") return { problem: "has no protected header" };
  if (typeof signature !== "string" || fromBase64url(signature) === undefined) {
    return { problem: "has no signature in base64url" };
  }
  const header = parse(encoded);
  if (header === undefined) return { problem: "has a protected header that is no JSON object in base64url" };
  const { alg, kid, typ, jku, crit } = header;
  const known = {
    ...(typeof alg === "string" && { alg }),
    ...(typeof kid === "string" && { kid }),
  };
  const bad = (problem: string): ReadSignature => ({ header: known, problem });
  if (typeof alg !== "string" || alg === "") return bad("names no algorithm (alg)");
  if (typeof kid !== "string" || kid === "") return bad("names no key (kid)");
  if (crit !== undefined || header["b64"] !== undefined) {
    return bad("has critical parameters (crit), of which none is understood");
  }
  if ((typ !== undefined && typeof typ !== "string") || (jku !== undefined && typeof jku !== "string")) {
    return bad("has a typ or jku that is no text");
  }
  if (unprotected !== undefined && unprotected !== null) {
    if (!isObject(unprotected)) return bad("has an unprotected header that is no object");
    const twice = Object.keys(unprotected).find((name) => Object.hasOwn(header, name));
    if (twice !== undefined || Object.hasOwn(unprotected, "crit")) {
      return bad(`has ${twice ?? "crit"} in the unprotected header, where it does not belong`);
    }
  }
  return {
    header: { alg, kid, ...(typ !== undefined && { typ }), ...(jku !== undefined && { jku }) },
    protected: encoded,
    signature,
  };
}

function parse(encoded: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = fromBase64url(encoded);
  if (bytes === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
