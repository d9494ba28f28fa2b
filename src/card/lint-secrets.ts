import type { CardRule, Report } from "./lint-types.js";

/** Texts that look like keys of well-known kinds. */
const SECRET = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\b(?:sk|rk)[-_](?:live_|proj-|ant-)?[A-Za-z0-9_-]{20,}/,
  /\bgh[pousr]_[A-Za-z0-9]{30,}/,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/,
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bAIza[0-9A-Za-z_-]{35}\b/,
  /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/,
  /^Bearer [A-Za-z0-9._~+/-]{12,}=*$/,
];

/** Members whose value would be one. */
const NAMED =
  /^(?:password|passwd|secret|client_?secret|api_?key|access_?token|refresh_?token|private_?key|credentials?)$/i;

/** Hosts that nobody outside can reach (RFC 1918, link-local, names of inner networks). */
const INTERNAL =
  /^https?:\/\/(?:[^/@]*@)?(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|[^/:]+\.(?:internal|local|lan|corp)(?=[/:]|$))/i;

/** Heuristics only: everybody reads a card, so it has no credentials and nothing of the inside (A2A-14.3-b, A2A-AD-a). */
export const lintSecrets: CardRule = (card, _means, report) => {
  const { signatures: _, ...rest } = card;
  visit(rest, [], report);
};

function visit(value: unknown, at: readonly (string | number)[], report: Report): void {
  if (typeof value === "string") {
    const name = at[at.length - 1];
    if (
      SECRET.some((pattern) => pattern.test(value)) ||
      (typeof name === "string" && NAMED.test(name) && value !== "")
    ) {
      report("warning", at, "looks like a secret", "A2A-AD-a");
    } else if (/^[a-z][a-z0-9+.-]*:\/\/[^/@\s]+:[^/@\s]+@/i.test(value)) {
      report("warning", at, "is a URL with credentials", "A2A-AD-a");
    } else if (INTERNAL.test(value)) {
      report("warning", at, "names a host of an inner network", "A2A-14.3-b");
    }
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const isList = Array.isArray(value);
  for (const [name, of] of Object.entries(value)) visit(of, [...at, isList ? Number(name) : name], report);
}
