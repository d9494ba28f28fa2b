import { A2AError } from "../errors.js";

/** The failure of a body whose caller went away before all of it had come. */
export const callerGone = (cause?: unknown): A2AError =>
  new A2AError("ABORTED", "The caller went away", { cause });
