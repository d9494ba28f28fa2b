import type { ErrorReason } from "../errors.js";
import type { HttpRequest } from "./types.js";

/** One line of an audit trail. It holds no header, no body and no credential (A2A-13.4-o). */
export interface AuditEntry {
  /** Name in the protocol version that was called; undefined where the request was refused before it was known. */
  readonly method: string | undefined;
  /** Who called; undefined for anonymous callers and refused ones. */
  readonly principal: unknown;
  /** Address of the peer, where the adapter knows it. */
  readonly peer: string | undefined;
  /** `ok` for an answer or an opened stream, else the reason of the refusal: `UNAUTHENTICATED`, `RESOURCE_EXHAUSTED`. */
  readonly outcome: "ok" | ErrorReason;
}

/** Takes the entries; what it throws is logged and changes nothing. */
export type Audit = (entry: AuditEntry) => void;

/** How a handler tells its audit. */
export type AuditCall = (
  request: HttpRequest,
  method: string | undefined,
  principal: unknown,
  outcome: AuditEntry["outcome"],
) => void;
