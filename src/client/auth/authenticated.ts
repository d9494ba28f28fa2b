import type { HttpOptions } from "../fetch-like.js";
import { parseUrl } from "../public-url.js";
import type { Transport } from "../transport.js";
import { createAuthSession } from "./auth-session.js";
import type { Auth } from "./types.js";

/**
 * A transport that shows credentials, for `createClient`: `authenticated(jsonRpc, { url, auth: bearer("…") })`. They go
 * to the origin of `url` alone. (`connect` takes `auth` itself.)
 */
export function authenticated<O extends HttpOptions>(
  open: (options: O) => Transport,
  options: O & { readonly auth: Auth },
): Transport {
  const { auth, ...rest } = options;
  const session = createAuthSession(auth);
  const send = options.fetch ?? ((url, init) => fetch(url, init));
  const inner = open({
    ...(rest as unknown as O),
    fetch: session.fetch(send, [parseUrl(options.url).origin]),
  });
  return {
    ...inner,
    unary: (request) => session.safely(request.signal, request.methodName, () => inner.unary(request)),
    stream: (request) =>
      session.safely(request.signal, request.methodName, async () => {
        const stream = await inner.stream(request);
        return { ...stream, events: session.safeEvents(request.signal, stream.events) };
      }),
  };
}
