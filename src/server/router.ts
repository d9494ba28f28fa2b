import { createFetchHandler } from "../adapter/fetch.js";
import type { Interceptor } from "../call.js";
import type { ServiceDescriptor } from "../descriptor.js";
import { createHttpHandler, type HttpHandlerOptions, type ServingHandler } from "../http/handler.js";
import { createDispatch } from "./router-dispatch.js";
import type { CallTarget, Handlers } from "./router-types.js";
import { shuttingDown } from "./shutting-down.js";

export type { CallTarget, HandlerContext, Handlers, MethodHandler, StreamChunk } from "./router-types.js";

/** Options of `createRouter`: middleware, and how the router is served over HTTP. */
export interface RouterOptions extends Omit<HttpHandlerOptions, "routers"> {
  /** Wraps every call, over HTTP and in memory; the first is the outermost. */
  readonly middleware?: readonly Interceptor[];
}

/** One version of a service with its handlers: callable in memory, over HTTP and through `fetch`. */
export interface Router<S extends ServiceDescriptor = ServiceDescriptor>
  extends CallTarget<S>, AsyncDisposable {
  /** For adapters: `createNodeHandler(router.handle)`. */
  readonly handle: ServingHandler;
  /** For hosts that speak `Request → Response`. */
  fetch(request: Request): Promise<Response>;
}

/**
 * The typed server stub of any version: `createRouter(A2A, { getTask: ({ id }) => tasks.get(id) })`. With `card` it
 * checks capabilities and required extensions and serves the card. Disposing it ends open streams and refuses calls.
 */
export function createRouter<const S extends ServiceDescriptor>(
  service: S,
  handlers: Handlers<S>,
  options: RouterOptions = {},
): Router<S> {
  const { middleware = [], card, ...http } = options;
  const run = createDispatch(handlers, middleware, card);
  let closed = false;
  let handle: ServingHandler | undefined;
  let fetchHandler: ((request: Request) => Promise<Response>) | undefined;

  const router: Router<S> = {
    service,
    ...(card && { card }),
    call(call) {
      return closed ? Promise.reject(shuttingDown()) : run(call);
    },
    get handle() {
      handle ??= createHttpHandler({ ...http, ...(card && { card }), routers: [router] });
      return handle;
    },
    fetch(request) {
      return (fetchHandler ??= createFetchHandler(router.handle))(request);
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      handle?.close();
    },
  };
  return router;
}
