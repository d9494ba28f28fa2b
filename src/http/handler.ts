import { restFailure } from "../binding/http-json-server.js";
import { readCard } from "../card/card-source.js";
import { LEGACY_EXTENDED_CARD_PATH } from "../card/well-known.js";
import type { A2AError } from "../errors.js";
import { createCardEndpoint, type CardEndpoint } from "./card-endpoint.js";
import { createHeadCheck } from "./check-head.js";
import { createJwksEndpoint } from "./jwks-endpoint.js";
import { atEdge } from "./edge.js";
import { createExchange } from "./exchange.js";
import { cardPaths, extendedCardPaths } from "./card-paths.js";
import type { HttpHandlerOptions } from "./options.js";
import { OpenStreams } from "./open-streams.js";
import { createReadiness } from "./readiness.js";
import { refuseEarly } from "./refuse-early.js";
import { busy, ending } from "./refused-early.js";
import { noRoute, serveRest, type RoutesOf } from "./serve-rest.js";
import { serveRpc } from "./serve-rpc.js";
import { ServerState } from "./server-state.js";
import { share } from "./serving.js";
import { Slots } from "./slots.js";
import { normalBase, splitUrl } from "./split-url.js";
import type { HttpHandler, HttpRequest, HttpResponse } from "./types.js";

export type { HttpHandlerOptions, HttpLimits } from "./options.js";

/** An `HttpHandler` whose open streams can be ended. */
export interface ServingHandler extends HttpHandler {
  /** Where JSON-RPC is, without a trailing slash; empty for the origin. */
  readonly basePath: string;
  /** Ends all open streams; requests that come later are still answered. */
  close(): void;
  /** Resolves when no stream is open. */
  quiet(): Promise<void>;
}

/**
 * Serves routers over JSON-RPC (`POST {basePath}`, with or without a trailing slash), HTTP+JSON (below `basePath`) and
 * the card's well-known paths (at the origin and below `basePath`), and the JWKS. Every refusal is JSON.
 */
export function createHttpHandler(options: HttpHandlerOptions): ServingHandler {
  const exchange = createExchange(options);
  const { versions } = exchange;
  const base = normalBase(options.basePath ?? "/");
  const baseSlash = `${base}/`;
  const { state = new ServerState(), limits, healthCheck } = options;
  const headProblem = createHeadCheck(limits);
  const problemOf = (request: HttpRequest): A2AError | undefined =>
    state.draining ? ending() : headProblem(request);
  const slots = limits?.concurrentRequests === undefined ? undefined : new Slots(limits.concurrentRequests);
  const streams = new OpenStreams(0);
  const { card: checked, publishedCard } = options;
  const published = publishedCard ?? (checked && (() => readCard(checked)));
  const card = published && createCardEndpoint(published, versions, options.cardMaxAge ?? 3600);
  const documents = new Map<string, CardEndpoint>();
  if (card) for (const path of cardPaths(options.routers, base)) documents.set(path, card);
  const { jwks } = options;
  if (jwks) documents.set(jwks.path, createJwksEndpoint(jwks, options.cardMaxAge ?? 3600));
  const extended = extendedCardPaths(options.routers, base);
  const refuse = async (error: A2AError): Promise<HttpResponse> =>
    restFailure(await exchange.errorsOf(undefined, error), error, "application/json");

  const isRpc = (path: string): boolean => path === base || path === baseSlash;
  const early = (request: HttpRequest, error: A2AError): Promise<HttpResponse> =>
    refuseEarly(exchange, request, request.method === "POST" && isRpc(splitUrl(request.url).path), error);

  const handle = (request: HttpRequest): Promise<HttpResponse> => {
    const problem = problemOf(request);
    if (problem !== undefined) return early(request, problem);
    const { url, method } = request;
    const { path, query } = splitUrl(url);
    if (isRpc(path)) {
      return method === "POST" ? serveRpc(exchange, request, query) : refuse(noRoute(method, ["POST"]));
    }
    const document = documents.get(path);
    if (document) return serveDocument(document, request, query);
    if (extended.has(path))
      return serveRest(exchange, extendedCardOf, request, LEGACY_EXTENDED_CARD_PATH, query);
    if (path.startsWith(baseSlash)) {
      return serveRest(exchange, restOf, request, path.slice(base.length), query);
    }
    return refuse(noRoute(method, [])).then((refused) => ({ ...refused, unrouted: true }));
  };

  const serveDocument = async (
    endpoint: CardEndpoint,
    request: HttpRequest,
    query: string,
  ): Promise<HttpResponse> => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      return refuse(noRoute(request.method, ["GET", "HEAD"]));
    }
    try {
      return await endpoint(request, query);
    } catch (error) {
      return refuse(exchange.refusal(error, "a document", request));
    }
  };

  const readiness = createReadiness({ state, check: healthCheck });
  const serving = Object.assign(
    atEdge(handle, options, { slots, readiness, busy: (request) => early(request, busy()) }),
    {
      basePath: base,
      close: () => {
        exchange.close();
        streams.close();
      },
      quiet: async () => {
        await Promise.all([exchange.quiet(), streams.quiet()]);
      },
    },
  );
  share(serving, { exchange, problemOf, slots, streams, state, readiness });
  return serving;
}

const restOf: RoutesOf = (version) => version.rest();
const extendedCardOf: RoutesOf = (version) => version.extendedCard?.();
