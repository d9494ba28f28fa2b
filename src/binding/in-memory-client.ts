import type { Reply } from "../call.js";
import type { Transport, TransportEvent, TransportRequest } from "../client/transport.js";
import { A2AError } from "../errors.js";
import { JsonText, toText } from "../json-text.js";
import type { CallTarget } from "../server/router-types.js";
import { fromRpcError } from "./from-rpc-error.js";
import { invoke } from "./invoke.js";
import { publicError } from "./public-error.js";
import { toRpcError } from "./to-rpc-error.js";

/**
 * Calls a router, or the router of a server, without a socket. Values and errors pass through JSON text, so nothing is
 * shared with the other side and nothing arrives that the wire would not carry; only an error's `cause` is kept, for
 * whoever debugs.
 */
export function inMemory(server: CallTarget | { readonly router: CallTarget }): Transport {
  const target = "router" in server ? server.router : server;
  const { service } = target;

  function call(request: TransportRequest): Promise<Reply> {
    const { methodName, headers, signal } = request;
    const method = Object.hasOwn(service.methods, methodName) ? service.methods[methodName] : undefined;
    if (!method || service.version !== request.service.version) {
      throw new A2AError(
        "VERSION_NOT_SUPPORTED",
        `The router serves A2A ${service.version}, the client speaks ${request.service.version}`,
      );
    }
    const incoming = { headers: { ...headers }, signal };
    return invoke({ target, methodName, method, input: copy(request.input), incoming });
  }

  function failure(error: unknown, request: TransportRequest): unknown {
    if (request.signal.aborted) return request.signal.reason;
    const seen = publicError(error, { error: () => undefined }, request.methodName);
    const read = fromRpcError(service, copy(toRpcError(service, seen)));
    if (seen.cause !== undefined) read.cause = seen.cause;
    return read;
  }

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
