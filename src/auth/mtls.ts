import type { MaybePromise } from "../store/types.js";
import type { Authenticator, AuthRequest, Identity } from "./types.js";
import { wrongCredentials } from "./wrong-credentials.js";

/** Whose a certificate is; undefined where it is nobody's. On Node it is what `socket.getPeerCertificate()` gives. */
export type VerifyCertificate = (
  certificate: object,
  request: AuthRequest,
) => MaybePromise<Identity | undefined>;

/**
 * A client certificate. TLS verifies it (`requestCert: true` with a `ca`); one that TLS could not verify and let pass
 * (`rejectUnauthorized: false`) is refused without a call of `verify`.
 */
export function mtls(verify: VerifyCertificate): Authenticator {
  return {
    scheme: { mtlsSecurityScheme: {} },
    async authenticate(request) {
      const certificate = request.peer?.certificate;
      // Node gives an empty object where the client showed none.
      if (typeof certificate !== "object" || certificate === null || Object.keys(certificate).length === 0) {
        return undefined;
      }
      const identity = request.peer?.verified === false ? undefined : await verify(certificate, request);
      if (identity === undefined) throw wrongCredentials("The client certificate is not accepted");
      return identity;
    },
  };
}
