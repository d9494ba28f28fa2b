import type { HttpHandlerOptions } from "../http/options.js";
import type { Logger } from "./agent-types.js";
import type { ServerOptions } from "./server-options.js";

/** The options of a server that are those of its HTTP handler. */
export function httpOptions(
  options: ServerOptions,
  logger: Logger,
  authenticate: HttpHandlerOptions["authenticate"],
): Omit<HttpHandlerOptions, "routers" | "card" | "publishedCard"> {
  const { basePath, limits, cardMaxAge, keepAliveMs, inferVersionFromMethod, errorTable } = options;
  const { rateLimit, audit, cors, health, hsts = options.url?.startsWith("https:") === true } = options;
  return {
    logger,
    ...(basePath !== undefined && { basePath }),
    ...(limits && { limits }),
    ...(authenticate && { authenticate }),
    ...(rateLimit && { rateLimit }),
    ...(audit && { audit }),
    ...(cors && { cors }),
    ...(health && { health }),
    ...(hsts && { hsts }),
    ...(cardMaxAge !== undefined && { cardMaxAge }),
    ...(keepAliveMs !== undefined && { keepAliveMs }),
    ...(inferVersionFromMethod !== undefined && { inferVersionFromMethod }),
    ...(errorTable && { errorTable }),
  };
}
