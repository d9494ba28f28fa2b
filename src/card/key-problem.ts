import type { JWK } from "jose";
import { certificateValidity } from "./certificate-validity.js";

/** Why a key must not verify signatures of `alg` at a time (A2A-8.4.3-e, -g); undefined where it may. */
export function keyProblem(key: JWK, alg: string, now: number): string | undefined {
  if (key.kty === "oct") return "is symmetric, so whoever verifies could have signed";
  if (key.alg !== undefined && key.alg !== alg) return `is for ${key.alg} and not for ${alg}`;
  if (key.use !== undefined && key.use !== "sig") return `is not for signatures (use ${key.use})`;
  if (key.key_ops !== undefined && !key.key_ops.includes("verify") && !key.key_ops.includes("sign")) {
    return "is not for signatures (key_ops)";
  }
  return lifetimeProblem(key, now);
}

function lifetimeProblem(key: JWK, now: number): string | undefined {
  const { exp, nbf } = key as { readonly exp?: unknown; readonly nbf?: unknown };
  // A lifetime that cannot be read is not one that goes on for ever.
  if (exp !== undefined && !(typeof exp === "number" && exp * 1000 > now)) return "has expired (exp)";
  if (nbf !== undefined && !(typeof nbf === "number" && nbf * 1000 <= now)) return "is not valid yet (nbf)";
  const [certificate] = key.x5c ?? [];
  if (certificate === undefined) return undefined;
  const validity = certificateValidity(certificate);
  if (validity === undefined) return "has a certificate that cannot be read (x5c)";
  if (validity.until < now) return "has a certificate that has expired (x5c)";
  return validity.from > now ? "has a certificate that is not valid yet (x5c)" : undefined;
}
