import { A2AError } from "../errors.js";

/** The reason of `ctx.signal` at the end of a server, and what callers are told who wait or come too late. */
export const shuttingDown = (): A2AError =>
  new A2AError("UNAVAILABLE", "This agent is shutting down; try again later");
