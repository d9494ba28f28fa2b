import { A2AError } from "../errors.js";

/** 401: nothing shows that the agent sent it. `scheme` is what `Authorization` should have. */
export const unauthenticated = (message: string, scheme = "Bearer", cause?: unknown): A2AError =>
  new A2AError("UNAUTHENTICATED", message, {
    status: 401,
    // A scheme comes from the receiver's own options, but still goes into a header.
    headers: { "WWW-Authenticate": scheme.replace(/[^\w-]/g, "") || "Bearer" },
    cause,
  });

/** 403: who sent it is known, and has no business with this. */
export const denied = (message: string): A2AError =>
  new A2AError("PERMISSION_DENIED", message, { status: 403 });

/** 400: the body is no notification. */
export const malformed = (message: string, cause?: unknown): A2AError =>
  new A2AError("INVALID_PARAMS", message, {
    status: 400,
    cause,
    ...(cause instanceof A2AError && { violations: cause.violations }),
  });

/** 413. */
export const tooLarge = (maxBytes: number): A2AError =>
  new A2AError("PAYLOAD_TOO_LARGE", `The notification is larger than ${String(maxBytes)} bytes`, {
    status: 413,
  });
