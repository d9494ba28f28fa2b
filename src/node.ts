/** `a2a-typed/node`: serving over `node:http`, `https` and `http2`. */
export {
  createNodeHandler,
  type NodeHandlerOptions,
  type NodeRequest,
  type NodeResponse,
} from "./adapter/node.js";
export { listen, type ListenOptions, type Listening } from "./adapter/node-listen.js";
export { createHttpHandler, type HttpHandlerOptions, type ServingHandler } from "./http/handler.js";
export type { HttpHandler, HttpRequest, HttpResponse } from "./http/types.js";
export { mtls, type Certificate } from "./client/auth/mtls.js";
export type { ConnectGuard } from "./client/connect-guard.js";
export { fileFromPath } from "./client/file-from-path.js";
export { networkGuard, type NetworkGuard, type NetworkGuardOptions } from "./client/network-guard.js";
export { readFile, type ReadFile, type ReadFileOptions } from "./client/read-file.js";
export type { TlsOptions } from "./client/tls-options.js";
export { undiciFetch, type PooledFetch, type UndiciFetchOptions } from "./client/undici-fetch.js";
