import { createHttpHandler, type HttpHandlerOptions, type ServingHandler } from "../http/handler.js";
import { bridgedVersions, loadBridge } from "../versions/bridges.js";
import { pivot, TaskState, type AgentCard, type StreamResponse } from "../versions/pivot.js";
import { bridgedVersion } from "./bridged-version.js";
import type { CardSigner } from "./card-signer.js";
import { publishedCard } from "./published-card.js";
import type { CallTarget } from "./router-types.js";
import { servedBindings } from "./served-card.js";
import type { ServerOptions } from "./server-options.js";

/** The versions that a server can serve, newest first. */
export const possibleVersions: readonly string[] = [pivot.version, ...bridgedVersions];

/** What is served, and how. */
export interface VersionHandlerOptions {
  /** Newest first. */
  readonly versions: readonly string[];
  readonly card: () => AgentCard;
  readonly http: Omit<HttpHandlerOptions, "routers" | "card" | "publishedCard">;
  readonly server: ServerOptions;
  /** Signs the card. */
  readonly sign?: CardSigner | undefined;
}

/** The HTTP side of a server: all its versions on one URL, the older ones by bridges to the router of the pivot. */
export function createVersionHandler(router: CallTarget, options: VersionHandlerOptions): ServingHandler {
  const { versions, card, http, server, sign } = options;
  const conversion = {
    legacyBindings: servedBindings,
    ...(server.stashMediaTypes !== undefined && { stashMediaTypes: server.stashMediaTypes }),
  };
  const bridged = {
    loadBridge,
    conversion,
    extendedCard: server.extendedCard !== undefined,
    ...(server.closeAtAuthRequired === true && { endsStream: asksForAuth }),
  };
  return createHttpHandler({
    ...http,
    routers: versions.map((version) =>
      version === pivot.version ? router : bridgedVersion(router, version, bridged),
    ),
    card,
    publishedCard: publishedCard({
      card,
      versions,
      conversion,
      sign,
      loadBridge,
      log: http.logger ?? console,
    }),
  });
}

const asksForAuth = (event: unknown): boolean =>
  (event as StreamResponse).statusUpdate?.status.state === TaskState.AUTH_REQUIRED;
