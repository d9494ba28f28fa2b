import { chain, type Call, type CallContext, type Headers, type Next, type Reply } from "../call.js";
import { decode } from "../codec/decode.js";
import type { ServiceDescriptor } from "../descriptor.js";
import { A2AError } from "../errors.js";
import { mergeHeaders } from "./call-headers.js";
import { clientStream } from "./client-stream.js";
import type { CallOptions, Client, ClientOptions } from "./client-types.js";
import { createReplyReader } from "./read-reply.js";
import { startRun, type Run } from "./run.js";
import type { Transport } from "./transport.js";

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
  const reader = createReplyReader(options);
  const active = new Set<Run>();
  // Interceptors see one shared context per call; this finds the call again at the end of the chain.
  const runs = new WeakMap<CallContext, Run>();
  let closed = false;

  const send: Next = async (call): Promise<Reply> => {
    const { method, methodName, signal } = call;
    const run = runs.get(call.context);
    const headers = mergeHeaders(call.headers);
    const input = decode<unknown>(method.input, call.input, { direction: "request" });
    const request = { service, methodName, method, input, headers, signal, onProgress: run?.touch };
    if (method.kind === "unary") {
      const reply = await transport.unary(request);
      return {
        stream: false,
        output: reader.value(methodName, method, reply.output),
        headers: reply.headers,
      };
    }
    const reply = await transport.stream(request);
    const resumed = headers["last-event-id"] !== undefined;
    return {
      stream: true,
      output: reader.events(methodName, method, reply.events, run, resumed),
      headers: reply.headers,
    };
  };
  const next = chain(options.interceptors ?? [], send);

  function begin(name: string, input: unknown, call: CallOptions): { run: Run; reply: Promise<Reply> } {
    const run = startRun(name, call.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS, call.signal);
    active.add(run);
    run.signal.addEventListener("abort", () => active.delete(run));
    if (closed) run.abort(new A2AError("ABORTED", "The client is closed"));
    return { run, reply: start(name, input, call, run) };
  }

  async function start(name: string, input: unknown, callOptions: CallOptions, run: Run): Promise<Reply> {
    const method = service.methods[name] as ServiceDescriptor["methods"][string];
    if (run.signal.aborted) throw run.signal.reason;
    const context: CallContext = {};
    runs.set(context, run);
    const call: Call = {
      service,
      methodName: name,
      method,
      input: decode<unknown>(method.input, withTenant(input ?? {}, options), { direction: "request" }),
      headers: headersOf(callOptions),
      signal: run.signal,
      context,
    };
    return next(call);
  }

  function headersOf(call: CallOptions): Headers {
    const extensions = call.extensions ?? options.extensions ?? [];
    return mergeHeaders(
      { [service.headers.version]: service.version },
      extensions.length > 0 ? { [service.headers.extensions]: extensions.join(", ") } : undefined,
      call.lastEventId ? { "last-event-id": call.lastEventId } : undefined,
      options.headers,
      call.headers,
    );
  }

  async function unary(name: string, input: unknown, call: CallOptions): Promise<unknown> {
    const { run, reply } = begin(name, input, call);
    try {
      return (await run.guard(reply)).output;
    } finally {
      run.release();
      active.delete(run);
    }
  }

  function stream(name: string, input: unknown, call: CallOptions): unknown {
    const { run, reply } = begin(name, input, call);
    return clientStream(run, reply);
  }

  const close = async (): Promise<void> => {
    closed = true;
    for (const run of active) run.abort(new A2AError("ABORTED", "The client was closed"));
    await transport.close?.();
  };
  const client: Record<PropertyKey, unknown> = { close, [Symbol.asyncDispose]: close };
  for (const [name, method] of Object.entries(service.methods)) {
    const run = method.kind === "unary" ? unary : stream;
    client[name] = (input: unknown, call: CallOptions = {}) => run(name, input, call);
  }
  return client as Client<S>;
}

const withTenant = (input: unknown, { tenant }: ClientOptions): unknown =>
  tenant === undefined || typeof input !== "object" ? input : { ...input, tenant };
