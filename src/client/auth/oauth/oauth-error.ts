import { A2AError } from "../../../errors.js";

/** Codes of RFC 6749, 8628, 8693, 8707 and OpenID Connect. Whatever else a server says may be what was sent to it. */
const KNOWN: ReadonlySet<string> = new Set([
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "invalid_scope",
  "invalid_target",
  "unauthorized_client",
  "unsupported_grant_type",
  "unsupported_response_type",
  "access_denied",
  "server_error",
  "temporarily_unavailable",
  "authorization_pending",
  "slow_down",
  "expired_token",
  "login_required",
  "consent_required",
  "interaction_required",
]);

/** The code of an OAuth error response that was thrown; undefined for any other failure. */
export function oauthCode(error: unknown): string | undefined {
  const { error: code } = (error ?? {}) as { readonly error?: unknown };
  return typeof code === "string" ? code : undefined;
}

/**
 * A failure at the authorization server as an `A2AError` that holds nothing which was sent or received: `UNAUTHENTICATED`
 * where the server refuses, `DECODE` where its answer makes no sense.
 */
export function oauthError(what: string, error: unknown): A2AError {
  if (error instanceof A2AError) return error;
  const code = oauthCode(error);
  if (code !== undefined) {
    const shown = KNOWN.has(code) ? code : "an error of its own";
    return new A2AError("UNAUTHENTICATED", `${what}: the authorization server answered ${shown}`);
  }
  const { status, code: kind } = (error ?? {}) as { readonly status?: unknown; readonly code?: unknown };
  const shown = typeof kind === "string" && kind.startsWith("OAUTH_") ? ` (${kind})` : "";
  const http = typeof status === "number" ? ` (HTTP ${String(status)})` : "";
  return new A2AError(
    "DECODE",
    `${what}: the answer of the authorization server cannot be used${http}${shown}`,
  );
}
