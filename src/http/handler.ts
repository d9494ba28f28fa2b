import { restFailure } from "../binding/http-json-server.js";
import { createRpcLookup } from "../binding/json-rpc-server.js";
import { compileRoutes } from "../binding/rest-routes.js";
import { A2AError } from "../errors.js";
import { createCardEndpoint } from "./card-endpoint.js";
import { createExchange } from "./exchange.js";
import type { HttpHandlerOptions } from "./options.js";
import { noRoute, serveRest, type RestTables } from "./serve-rest.js";
import { serveRpc } from "./serve-rpc.js";
import { normalBase, splitUrl } from "./split-url.js";
import type { HttpHandler, HttpRequest, HttpResponse } from "./types.js";

export type { HttpHandlerOptions, HttpLimits } from "./options.js";

/** An `HttpHandler` whose open streams can be ended. */
export interface ServingHandler extends HttpHandler {
  /** Ends all open streams; requests that come later are still answered. */
  close(): void;
}

/**
 * Serves routers over JSON-RPC (`POST {basePath}`, with or without a trailing slash), HTTP+JSON (below `basePath`) and
 * the card's well-known path (at the origin and below `basePath`). Every refusal is JSON.
 */
export function createHttpHandler(options: HttpHandlerOptions): ServingHandler {
  const exchange = createExchange(options);
  const { versions } = exchange;
  const base = normalBase(options.basePath ?? "/");
  const baseSlash = `${base}/`;
  const urlLength = options.limits?.urlLength ?? 16_384;
  const lookup = createRpcLookup(versions);
  const tables: RestTables = new Map(versions.all.map((target) => [target, compileRoutes(target.service)]));
  const card = options.card && createCardEndpoint(options.card, options.cardMaxAge ?? 3600);
  const cardPaths = new Set(
    versions.all.flatMap(({ service }) => [service.card.path, base + service.card.path]),
  );
  const refuse = (error: A2AError): HttpResponse =>
    restFailure(exchange.errorsOf(versions.newest.service), error, "application/json");

  const handle = (request: HttpRequest): Promise<HttpResponse> => {
    const { url, method } = request;
    if (url.length > urlLength) return Promise.resolve(refuse(urlTooLong(urlLength)));
    const { path, query } = splitUrl(url);
    if (path === base || path === baseSlash) {
      return method === "POST"
        ? serveRpc(exchange, lookup, request, query)
        : Promise.resolve(refuse(noRoute(method, ["POST"])));
    }
    if (card && cardPaths.has(path)) return serveCard(card, request);
    if (path.startsWith(baseSlash)) {
      return serveRest(exchange, tables, request, path.slice(base.length), query);
    }
    return Promise.resolve(refuse(noRoute(method, [])));
  };

  const serveCard = async (
    endpoint: (request: HttpRequest) => Promise<HttpResponse>,
    request: HttpRequest,
  ): Promise<HttpResponse> => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      return refuse(noRoute(request.method, ["GET", "HEAD"]));
    }
    try {
      return await endpoint(request);
    } catch (error) {
      return refuse(exchange.refusal(error, "the agent card", request));
    }
  };

  return Object.assign(handle, { close: () => exchange.close() });
}

const urlTooLong = (limit: number): A2AError =>
  new A2AError("INVALID_REQUEST", `The request target is longer than ${String(limit)} characters`, {
    code: -32600,
    status: 414,
  });
