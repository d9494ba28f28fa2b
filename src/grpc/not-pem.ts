import { A2AError } from "../errors.js";

/** The `CONFIG` error of certificates and keys that TLS does not take. What OpenSSL says of them holds nothing of a key. */
export const notPem = (cause: unknown): A2AError =>
  new A2AError(
    "CONFIG",
    `gRPC: credentials must be certificates and a fitting key as PEM: ${cause instanceof Error ? cause.message : String(cause)}`,
    { cause },
  );
