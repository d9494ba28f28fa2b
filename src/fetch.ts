/** `a2a-typed/fetch`: serving through `Request → Response`. */
export { createFetchHandler, type FetchHandlerOptions } from "./adapter/fetch.js";
export { createHttpHandler, type HttpHandlerOptions, type ServingHandler } from "./http/handler.js";
export type { HttpHandler, HttpRequest, HttpResponse } from "./http/types.js";
