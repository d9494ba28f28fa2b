import { A2AError } from "../errors.js";

/** What late requests on connections that are still open are told; the next connection leads elsewhere. */
export const ending = (): A2AError => unavailable("This agent is shutting down; try again later", true);

/** What requests are told that are too many at once. */
export const busy = (): A2AError => unavailable("This agent is busy; try again later", false);

const unavailable = (message: string, close: boolean): A2AError =>
  new A2AError("UNAVAILABLE", message, {
    code: -32603,
    status: 503,
    headers: { ...(close && { connection: "close" }), "retry-after": "1" },
  });
