import { withCors } from "./cors.js";
import { withHealth } from "./health.js";
import { withHsts } from "./hsts.js";
import type { HttpHandlerOptions } from "./options.js";
import { createServerState } from "./server-state.js";
import type { HttpHandler, HttpRequest, HttpResponse } from "./types.js";
import { withSlots } from "./with-slots.js";

/**
 * What lies before the bindings, from the inside out: slots, health, CORS, HSTS. Each is there only where an option asks
 * for it: the handler itself comes back where none does.
 */
export function atEdge(
  handle: HttpHandler,
  options: HttpHandlerOptions,
  busy: (request: HttpRequest) => Promise<HttpResponse>,
): HttpHandler {
  const { limits, cors, health, hsts, state = createServerState(), healthCheck: check } = options;
  let edge = handle;
  if (limits?.concurrentRequests !== undefined) edge = withSlots(edge, limits.concurrentRequests, busy);
  // Outside the slots: a busy server is alive.
  if (health !== undefined) edge = withHealth(edge, health, { state, check });
  if (cors !== undefined) edge = withCors(edge, cors);
  if (hsts !== undefined) edge = withHsts(edge, hsts);
  return edge;
}
