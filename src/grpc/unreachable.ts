import type { ServiceError } from "@grpc/grpc-js";
import { A2AError } from "../errors.js";

/**
 * The `NETWORK` error of a call that got no answer. Where no connection was made, its cause has the code of the system
 * (`ECONNREFUSED`), by which others know that nothing can have been processed.
 */
export function unreachable({ details }: ServiceError, address: string): A2AError {
  const unresolved = details.startsWith("Name resolution failed");
  const never = unresolved || details.startsWith("No connection established");
  const code = /\bE[A-Z]{3,}\b/.exec(details)?.[0] ?? (unresolved ? "ENOTFOUND" : undefined);
  const cause = Object.assign(new Error(details), never && code !== undefined ? { code } : {});
  const what = never ? `Could not reach ${address}` : `The connection to ${address} broke`;
  return new A2AError("NETWORK", code === undefined ? `${what}: ${details}` : `${what} (${code})`, { cause });
}
