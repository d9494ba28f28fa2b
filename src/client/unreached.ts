import type { A2AError } from "../errors.js";

/** Codes of a connection that was never made. */
const unreached = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** True where no connection was made, so that nothing can have been processed. */
export function isUnreached({ reason, cause }: A2AError): boolean {
  const { code, cause: inner } = (cause ?? {}) as { code?: string; cause?: { code?: string } };
  return reason === "NETWORK" && unreached.has(code ?? inner?.code ?? "");
}
