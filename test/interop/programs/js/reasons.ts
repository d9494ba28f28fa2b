/** The error codes of the protocol and of JSON-RPC, and what each means. */
const reasons: Readonly<Record<number, string>> = {
  [-32700]: "PARSE_ERROR",
  [-32600]: "INVALID_REQUEST",
  [-32601]: "METHOD_NOT_FOUND",
  [-32602]: "INVALID_PARAMS",
  [-32603]: "INTERNAL",
  [-32001]: "TASK_NOT_FOUND",
  [-32002]: "TASK_NOT_CANCELABLE",
  [-32003]: "PUSH_NOTIFICATION_NOT_SUPPORTED",
  [-32004]: "UNSUPPORTED_OPERATION",
  [-32005]: "CONTENT_TYPE_NOT_SUPPORTED",
  [-32006]: "INVALID_AGENT_RESPONSE",
  [-32007]: "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
  [-32008]: "EXTENSION_SUPPORT_REQUIRED",
  [-32009]: "VERSION_NOT_SUPPORTED",
};

/** The reason of a code, `undefined` where it is none of the protocol's. */
export const reasonOfCode = (code: unknown): string | undefined =>
  typeof code === "number" ? reasons[code] : undefined;

/** An error in one line, for those that no reason can be read from. */
export const plainly = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).split("\n")[0] ?? "";
