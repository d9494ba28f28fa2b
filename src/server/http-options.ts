import type { HttpHandlerOptions } from "../http/options.js";
import type { Logger } from "./agent-types.js";
import type { ServerOptions } from "./server-options.js";

/** The options of a server that are those of its HTTP handler. */
export function httpOptions(
  options: ServerOptions,
  logger: Logger,
): Omit<HttpHandlerOptions, "routers" | "card" | "publishedCard"> {
  const { basePath, limits, auth, cardMaxAge, keepAliveMs, inferVersionFromMethod, errorTable } = options;
  return {
    logger,
    ...(basePath !== undefined && { basePath }),
    ...(limits && { limits }),
    ...(auth && { authenticate: auth }),
    ...(cardMaxAge !== undefined && { cardMaxAge }),
    ...(keepAliveMs !== undefined && { keepAliveMs }),
    ...(inferVersionFromMethod !== undefined && { inferVersionFromMethod }),
    ...(errorTable && { errorTable }),
  };
}
