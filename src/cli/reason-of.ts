import { isA2AError } from "../errors.js";

/** Why something failed, in one line. */
export const reasonOf = (error: unknown): string => {
  const text = isA2AError(error)
    ? `${error.reason}: ${error.message}`
    : error instanceof Error
      ? error.message
      : String(error);
  return text.replaceAll(/\s*\n\s*/g, "; ");
};
