import { withCors } from "./cors.js";
import { withHealth } from "./health.js";
import { withHsts } from "./hsts.js";
import type { HttpHandlerOptions } from "./options.js";
import type { Readiness } from "./readiness.js";
import type { Slots } from "./slots.js";
import type { HttpHandler, HttpRequest, HttpResponse } from "./types.js";
import { withSlots } from "./with-slots.js";

/** What the edge works with. */
export interface EdgeMeans {
  readonly slots: Slots | undefined;
  readonly readiness: () => Promise<Readiness>;
  /** Refuses a request for which there is no slot. */
  readonly busy: (request: HttpRequest) => Promise<HttpResponse>;
}

/**
 * What lies before the bindings, from the inside out: slots, health, CORS, HSTS. Each is there only where an option asks
 * for it: the handler itself comes back where none does.
 */
export function atEdge(
  handle: HttpHandler,
  options: HttpHandlerOptions,
  { slots, readiness, busy }: EdgeMeans,
): HttpHandler {
  const { cors, health, hsts } = options;
  let edge = handle;
  if (slots !== undefined) edge = withSlots(edge, slots, busy);
  // Outside the slots: a busy server is alive.
  if (health !== undefined) edge = withHealth(edge, health, readiness);
  if (cors !== undefined) edge = withCors(edge, cors);
  if (hsts !== undefined) edge = withHsts(edge, hsts);
  return edge;
}
