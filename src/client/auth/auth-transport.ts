import { A2AError, isA2AError } from "../../errors.js";
import type { Transport, TransportRequest } from "../transport.js";
import { credentialsOf, withCredentials } from "./shown-credentials.js";
import type { AuthOperation, ClientAuth } from "./types.js";

/** How `authTransport` shows credentials. */
export interface AuthTransportOptions {
  /** Asked for each call: a card may settle on others. */
  readonly auth: () => ClientAuth;
  /** Where calls go, as a URL. */
  readonly url: string;
  /** Name of the call that a signal belongs to. */
  readonly nameOf: (signal: AbortSignal) => string;
  /** Told every value that is shown. */
  readonly onShown: (signal: AbortSignal, value: string) => void;
}

/**
 * A transport without HTTP requests of its own that shows credentials as headers of its calls, and once more after
 * `UNAUTHENTICATED` where `auth` has others. Keys for a query have no place there: `CONFIG`.
 */
export function authTransport(inner: Transport, options: AuthTransportOptions): Transport {
  const { url, nameOf, onShown } = options;

  async function shown<T>(
    request: TransportRequest,
    send: (request: TransportRequest) => Promise<T>,
  ): Promise<T> {
    const auth = options.auth();
    const op: AuthOperation = { name: nameOf(request.signal), url, verb: "POST", signal: request.signal };
    const attempt = async (): Promise<T> => {
      const { headers, query } = await credentialsOf(auth, op);
      const [inQuery] = Object.keys(query);
      if (inQuery !== undefined) throw noQuery(inner.binding, inQuery);
      for (const value of Object.values(headers)) onShown(op.signal, value);
      return send({ ...request, headers: withCredentials(request.headers, headers) });
    };
    try {
      return await attempt();
    } catch (error) {
      if (!isA2AError(error, "UNAUTHENTICATED") || error.status !== 401 || auth.refused === undefined)
        throw error;
      const retry = await auth.refused(op, { status: 401, headers: { ...error.headers } });
      if (!retry) throw error;
      return attempt();
    }
  }

  return {
    ...inner,
    unary: (request) => shown(request, (own) => inner.unary(own)),
    stream: (request) => shown(request, (own) => inner.stream(own)),
  };
}

const noQuery = (binding: string, name: string): A2AError =>
  new A2AError(
    "CONFIG",
    `auth: ${name} goes into the query of a URL, which calls over ${binding} do not have`,
  );
