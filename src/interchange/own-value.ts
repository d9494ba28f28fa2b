import { A2AError } from "../errors.js";

/** Reads a value of the caller's own: what is wrong with it is not the fault of a peer, so it is `INVALID_PARAMS`. */
export function ownValue<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof A2AError)) throw error;
    const { message, violations } = error;
    throw new A2AError("INVALID_PARAMS", message, { violations, cause: error });
  }
}
