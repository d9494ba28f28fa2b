import {
  chain,
  type Call,
  type CallContext,
  type Headers,
  type Interceptor,
  type Next,
  type Reply,
} from "../call.js";
import { readCard, type CardSource, type CardView } from "../card/card-source.js";
import type { MethodDescriptor } from "../descriptor.js";
import { A2AError } from "../errors.js";
import { asked, checkCard } from "./router-gate.js";
import type { HandlerContext } from "./router-types.js";

type AnyHandler = (input: unknown, ctx: HandlerContext) => unknown;

/**
 * The chain of middleware that ends in the handler of the called method; with a card, what it does not allow is
 * refused just before the handler.
 */
export function createDispatch(
  handlers: Readonly<Record<string, unknown>>,
  middleware: readonly Interceptor[],
  card?: CardSource,
): Next {
  // A map, so that no method name can reach a member of Object.prototype.
  const table = new Map<string, AnyHandler>();
  for (const [name, handler] of Object.entries(handlers)) {
    if (typeof handler === "function") table.set(name, handler as AnyHandler);
  }
  const handled = (call: Call, view: CardView | undefined): Reply | Promise<Reply> => {
    if (view !== undefined) checkCard(view, call);
    const handler = table.get(call.methodName);
    if (!handler) throw unsupported(call);
    const headers: Headers = {};
    const output = handler(call.input, new Context(call, headers));
    return isPromise(output)
      ? Promise.resolve(output).then((value) => toReply(call, value, headers))
      : toReply(call, output, headers);
  };
  // What need not wait makes one promise.
  const last: Next = (call) => {
    try {
      const view = card && readCard(card);
      const reply = view instanceof Promise ? view.then((read) => handled(call, read)) : handled(call, view);
      return reply instanceof Promise ? reply : Promise.resolve(reply);
    } catch (error) {
      return failed(error);
    }
  };
  if (middleware.length === 0) return last;
  const run = chain(middleware, last);
  // A plain object, because middleware copies calls (`{ ...call, input }`) and a copy has no accessors.
  return ({ service, methodName, method, input, headers, signal, context }) =>
    run({ service, methodName, method, input, headers, signal, context });
}

const failed = async (error: unknown): Promise<never> => {
  throw error;
};

/** A class, because an accessor of a prototype is free and most calls never need the signal, which is not. */
class Context implements HandlerContext {
  readonly headers: Readonly<Headers>;
  readonly replyHeaders: Headers;
  readonly context: CallContext;
  readonly method: MethodDescriptor;
  readonly #call: Call;

  constructor(call: Call, replyHeaders: Headers) {
    this.#call = call;
    this.headers = call.headers;
    this.replyHeaders = replyHeaders;
    this.context = call.context;
    this.method = call.method;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }
}

const toReply = (call: Call, output: unknown, headers: Headers): Reply => {
  if (call.method.kind === "unary") return { stream: false, output, headers };
  if (isAsyncIterable(output)) return { stream: true, output, headers };
  throw new A2AError("INTERNAL_ERROR", "Internal error", {
    cause: new TypeError(`The handler of ${call.methodName} did not give an async iterable`),
  });
};

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

const unsupported = (call: Call): A2AError =>
  new A2AError("UNSUPPORTED_OPERATION", `This agent does not offer ${asked(call).method.name}`);
