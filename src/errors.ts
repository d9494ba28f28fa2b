/** Reasons that never come from an A2A error table: local failures and the generic ones of the bindings. */
export type LocalReason =
  | "TIMEOUT"
  | "ABORTED"
  | "NETWORK"
  | "STREAM_CUT"
  | "DECODE"
  | "HTTP"
  | "CONFIG"
  | "NO_COMPATIBLE_INTERFACE"
  | "CARD_NOT_TRUSTED"
  | "FORBIDDEN_TARGET"
  | "PARSE_ERROR"
  | "INVALID_REQUEST"
  | "METHOD_NOT_FOUND"
  | "INVALID_PARAMS"
  | "INTERNAL_ERROR"
  | "UNAUTHENTICATED"
  | "PERMISSION_DENIED"
  | "RESOURCE_EXHAUSTED"
  | "PAYLOAD_TOO_LARGE"
  | "UNAVAILABLE";

/** Reasons of A2A 1.0; later versions add to it, hence the open end. */
export type A2AReason =
  | "TASK_NOT_FOUND"
  | "TASK_NOT_CANCELABLE"
  | "PUSH_NOTIFICATION_NOT_SUPPORTED"
  | "UNSUPPORTED_OPERATION"
  | "CONTENT_TYPE_NOT_SUPPORTED"
  | "INVALID_AGENT_RESPONSE"
  | "EXTENDED_AGENT_CARD_NOT_CONFIGURED"
  | "EXTENSION_SUPPORT_REQUIRED"
  | "VERSION_NOT_SUPPORTED";

/** Any reason: the known ones complete in editors, unknown ones of newer versions are kept as they came. */
export type ErrorReason = A2AReason | LocalReason | (string & {});

/** One field that was refused: `field` as in `message.parts[0].text`, `pointer` as JSON pointer. */
export interface Violation {
  readonly field: string;
  readonly pointer: string;
  readonly description: string;
}

/** What an `A2AError` carries besides reason and message. */
export interface A2AErrorOptions {
  /** JSON-RPC code, where one is known. */
  readonly code?: number | undefined;
  /** HTTP status of the reply that carried it (client side), or to answer with (server side). */
  readonly status?: number | undefined;
  /** JSON-RPC `data` or HTTP+JSON `details`, as they came or as they are to be sent. */
  readonly data?: unknown;
  /** String map for `google.rpc.ErrorInfo.metadata`. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Fields that were refused; sent as `google.rpc.BadRequest`. */
  readonly violations?: readonly Violation[] | undefined;
  /** Extra response headers (`WWW-Authenticate`, `Retry-After`, `Allow`). */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Local only; never sent. */
  readonly cause?: unknown;
}

/**
 * The one error class. `reason` says what happened in one word; the message says what was wrong, where, and what to do.
 * On a server the message and `data` of a thrown `A2AError` are public; any other throw becomes `INTERNAL_ERROR`
 * and leaks nothing.
 */
export class A2AError extends Error {
  override readonly name = "A2AError";
  // Declared only, for the constructor sets them all.
  declare readonly reason: ErrorReason;
  declare readonly code: number | undefined;
  declare readonly status: number | undefined;
  declare readonly data: unknown;
  declare readonly metadata: Readonly<Record<string, string>> | undefined;
  declare readonly violations: readonly Violation[] | undefined;
  declare readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(reason: ErrorReason, message: string, options: A2AErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = reason;
    this.code = options.code;
    this.status = options.status;
    this.data = options.data;
    this.metadata = options.metadata;
    this.violations = options.violations;
    this.headers = options.headers;
  }

  /** Anything thrown as an `A2AError`; unknown values become `INTERNAL_ERROR` with the original as `cause`. */
  static from(error: unknown): A2AError {
    if (error instanceof A2AError) return error;
    return new A2AError("INTERNAL_ERROR", "Internal error", { code: -32603, cause: error });
  }
}

/** Narrows to an `A2AError`, of one reason where given: `isA2AError(e, "TASK_NOT_FOUND")`. */
export function isA2AError(error: unknown): error is A2AError;
export function isA2AError<R extends ErrorReason>(
  error: unknown,
  reason: R,
): error is A2AError & { readonly reason: R };
export function isA2AError(error: unknown, reason?: string): boolean {
  return error instanceof A2AError && (reason === undefined || error.reason === reason);
}
