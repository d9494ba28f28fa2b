import type { Call, Reply } from "../call.js";
import type { Transport, TransportEvent, TransportRequest } from "../client/transport.js";
import { decode } from "../codec/decode.js";
import type { ServiceDescriptor } from "../descriptor.js";
import { A2AError } from "../errors.js";
import { JsonText, toText } from "../json-text.js";
import { fromRpcError } from "./from-rpc-error.js";
import { toRpcError } from "./to-rpc-error.js";

/** What answers calls in the same process: a router. */
export interface CallTarget {
  readonly service: ServiceDescriptor;
  call(call: Call): Promise<Reply>;
}

/**
 * Calls a router, or the router of a server, without a socket. Values and errors pass through JSON text, so nothing is
 * shared with the other side and nothing arrives that the wire would not carry.
 */
export function inMemory(target: CallTarget | { readonly router: CallTarget }): Transport {
  const router = "router" in target ? target.router : target;

  async function call(request: TransportRequest): Promise<Reply> {
    const { service } = router;
    const method = service.methods[request.methodName];
    if (!method || service.version !== request.service.version) {
      throw new A2AError(
        "VERSION_NOT_SUPPORTED",
        `The router serves A2A ${service.version}, the client speaks ${request.service.version}`,
        { code: -32009 },
      );
    }
    const input = decode<unknown>(method.input, copy(request.input), { direction: "request" });
    const { headers, methodName, signal } = request;
    const { tenant } = input as { tenant?: string };
    const lastEventId = headers["last-event-id"];
    const extensions = headers[service.headers.extensions];
    return router.call({
      service,
      methodName,
      method,
      input,
      headers: { ...headers },
      signal,
      context: {
        ...(tenant && { tenant }),
        ...(lastEventId && { lastEventId }),
        ...(extensions && { requestedExtensions: extensions.split(",").map((uri) => uri.trim()) }),
      },
    });
  }

  const failure = (error: unknown, request: TransportRequest): unknown => {
    if (request.signal.aborted) return request.signal.reason;
    const { service } = router;
    return fromRpcError(service, copy(toRpcError(service, A2AError.from(error))));
  };

  async function* events(reply: Reply, request: TransportRequest): AsyncGenerator<TransportEvent, void> {
    try {
      for await (const chunk of reply.output as AsyncIterable<unknown>) {
        request.onProgress?.();
        const several = Array.isArray(chunk) ? (chunk as readonly unknown[]) : [chunk];
        for (const event of several) {
          const data = copy(event);
          yield event instanceof JsonText && event.id !== undefined
            ? { data, id: String(event.id) }
            : { data };
        }
      }
    } catch (error) {
      throw failure(error, request);
    }
  }

  async function answer(request: TransportRequest, stream: boolean): Promise<Reply> {
    try {
      const reply = await call(request);
      if (reply.stream === stream) return reply;
    } catch (error) {
      throw failure(error, request);
    }
    throw new A2AError("INTERNAL_ERROR", `The router answered ${request.methodName} in the wrong way`);
  }

  return {
    binding: "MEMORY",
    async unary(request) {
      const reply = await answer(request, false);
      return { output: copy(reply.output), headers: { ...reply.headers } };
    },
    async stream(request) {
      const reply = await answer(request, true);
      return { events: events(reply, request), headers: { ...reply.headers } };
    },
  };
}

function copy(value: unknown): unknown {
  const text = toText(value) as string | undefined;
  return text === undefined ? undefined : JSON.parse(text);
}
