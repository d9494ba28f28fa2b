import { chain, type Call, type CallContext, type Next } from "../call.js";
import { decode } from "../codec/decode.js";
import { isJson } from "../codec/json.js";
import { fieldsOf } from "../codec/object.js";
import type { MethodDescriptor, ServiceDescriptor } from "../descriptor.js";
import { A2AError, isA2AError } from "../errors.js";
import { mergeHeaders } from "./call-headers.js";
import { clientStream } from "./client-stream.js";
import type { CallOptions, Client, ClientOptions } from "./client-types.js";
import { readValue } from "./read-reply.js";
import { startRun, type Run } from "./run.js";
import type { Transport, TransportRequest } from "./transport.js";

/** Deadline of unary calls and longest silence of streams, unless an option says otherwise: 60 s. */
const TIMEOUT_MS = 60_000;

/**
 * A typed client of one protocol version over one transport: `createClient(A2A, jsonRpc({ url }))`.
 * Inputs are checked before anything is sent (`INVALID_PARAMS`), replies before they are handed out
 * (`DECODE`, `INVALID_AGENT_RESPONSE`); errors of the agent come as `A2AError` with the reason of the specification.
 */
export function createClient<S extends ServiceDescriptor>(
  service: S,
  transport: Transport,
  options: ClientOptions = {},
): Client<S> {
  const closing = new AbortController();
  // Interceptors see one shared context per call; this finds the call again at the end of the chain.
  const runs = new WeakMap<CallContext, Run>();

  const send: Next = async (call) => {
    const run = runs.get(call.context);
    const request: TransportRequest & Call = {
      ...call,
      headers: mergeHeaders(call.headers),
      deadline: call.method.kind === "unary" ? run?.endsAt : undefined,
      onProgress: run?.touch,
      mode: options.mode,
      onWarning: (warning) => options.onWarning?.({ method: call.methodName, ...warning }),
    };
    // Once more, for an interceptor may have changed it.
    request.input = checked(call.method, call.input);
    if (call.method.kind === "unary") {
      const { output, headers } = await transport.unary(request);
      return { stream: false, output: readValue(request, output), headers };
    }
    const { events, headers } = await transport.stream(request);
    const { readEvents } = await import("./read-events.js");
    // What is loaded with the first stream uses these, too.
    const shared = { A2AError, isA2AError, readValue, fieldsOf, isJson };
    return { stream: true, output: readEvents(request, events, run, shared), headers };
  };
  const next = chain(options.interceptors ?? [], send);

  async function start(methodName: string, input: unknown, own: CallOptions, run: Run): ReturnType<Next> {
    const method = service.methods[methodName] as MethodDescriptor;
    const { tenant } = options;
    const extensions = own.extensions ?? options.extensions ?? [];
    const call: Call = {
      service,
      methodName,
      method,
      input: checked(method, tenant === undefined ? (input ?? {}) : { ...(input as object), tenant }),
      headers: mergeHeaders(
        { [service.headers.version]: service.version },
        extensions.length > 0 && { [service.headers.extensions]: extensions.join(", ") },
        own.lastEventId && { "last-event-id": own.lastEventId },
        options.headers,
        own.headers,
      ),
      signal: run.signal,
      context: {},
    };
    runs.set(call.context, run);
    return next(call);
  }

  function invoke(name: string, kind: MethodDescriptor["kind"], input: unknown, own: CallOptions): unknown {
    const run = startRun(name, own.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS, closing.signal, own.signal);
    const reply = run.signal.aborted
      ? Promise.reject(run.signal.reason as Error)
      : start(name, input, own, run);
    if (kind === "serverStream") return clientStream(run, reply);
    return run
      .guard(reply)
      .then(({ output }) => output)
      .finally(() => {
        run.release();
      });
  }

  const close = async (): Promise<void> => {
    closing.abort(new A2AError("ABORTED", "The client is closed"));
    await transport.close?.();
  };
  const client: Record<PropertyKey, unknown> = { close, [Symbol.asyncDispose]: close };
  for (const [name, { kind }] of Object.entries(service.methods)) {
    client[name] = (input: unknown, own: CallOptions = {}) => invoke(name, kind, input, own);
  }
  return client as Client<S>;
}

const checked = ({ input }: MethodDescriptor, value: unknown): unknown =>
  decode<unknown>(input, value, { direction: "request" });
