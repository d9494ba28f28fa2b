/** Reasons that describe a failure of this process as a client; their messages name hosts and files, so no caller sees them. */
export const localReasons: ReadonlySet<string> = new Set([
  "TIMEOUT",
  "ABORTED",
  "NETWORK",
  "STREAM_CUT",
  "DECODE",
  "HTTP",
  "CONFIG",
  "NO_COMPATIBLE_INTERFACE",
  "CARD_NOT_TRUSTED",
  "FORBIDDEN_TARGET",
]);
