import { isA2AError } from "../../errors.js";
import { defaultFetch } from "../default-fetch.js";
import { isUnknownOnly } from "../far-replies.js";
import type { HttpOptions } from "../fetch-like.js";
import { readGrpcAddress } from "../grpc-address.js";
import type { GrpcTarget } from "../grpc-opener.js";
import { parseUrl } from "../public-url.js";
import { readValue } from "../read-reply.js";
import type { Transport, TransportEvent, TransportRequest } from "../transport.js";
import { createAuthSession, type AuthSession } from "./auth-session.js";
import { secretHeaders } from "./secret-headers.js";
import type { Auth } from "./types.js";

/**
 * A transport that shows credentials, for `createClient`: `authenticated(jsonRpc, { url, auth: bearer("…") })`, or
 * `authenticated(grpc, { address, auth })`. They go to the origin of `url`, or to the address, alone. (`connect` takes `auth`
 * itself.)
 */
export function authenticated<O extends HttpOptions | GrpcTarget>(
  open: (options: O) => Transport,
  options: O & { readonly auth: Auth },
): Transport {
  const { auth, ...rest } = options;
  const session = createAuthSession(auth, secretHeaders(options.headers));
  const inner = showing(session, open, rest as unknown as O);
  const quietly = (request: TransportRequest): TransportRequest => ({
    ...request,
    onWarning: (warning) => request.onWarning?.(session.clean(warning)),
  });
  // Replies are read here, for what is wrong with one may be that it repeats a credential.
  return {
    ...inner,
    unary: (request) =>
      session.safely(request.signal, request.methodName, async () => {
        const own = quietly(request);
        const reply = await inner.unary(own);
        return { ...reply, output: readValue(own, reply.output) };
      }),
    stream: (request) =>
      session.safely(request.signal, request.methodName, async () => {
        const own = quietly(request);
        const stream = await inner.stream(own);
        return { ...stream, events: session.safeEvents(request.signal, readAll(own, stream.events)) };
      }),
  };
}

/** The transport of a binding, over HTTP or not, with the credentials of a session. */
function showing<O extends HttpOptions | GrpcTarget>(
  session: AuthSession,
  open: (options: O) => Transport,
  options: O,
): Transport {
  if (!("url" in options)) return session.transport(open(options), readGrpcAddress(options.address).url);
  const send = options.fetch ?? defaultFetch;
  return open({ ...options, fetch: session.fetch(send, [parseUrl(options.url).origin]) });
}

async function* readAll(
  request: TransportRequest,
  events: AsyncIterable<TransportEvent>,
): AsyncGenerator<TransportEvent, void, undefined> {
  for await (const event of events) {
    let data: unknown;
    try {
      data = readValue(request, event.data);
    } catch (error) {
      if (!isA2AError(error) || !isUnknownOnly(error.data)) throw error;
      const message = `Skipped an event: ${error.data.unknownOnly.join(", ")}`;
      request.onWarning?.({ code: "unknown-event", message });
      continue;
    }
    yield { ...event, data };
  }
}
