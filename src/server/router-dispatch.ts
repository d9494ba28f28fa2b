import { chain, type Call, type Headers, type Interceptor, type Next, type Reply } from "../call.js";
import { A2AError } from "../errors.js";
import type { HandlerContext } from "./router-types.js";

type AnyHandler = (input: unknown, ctx: HandlerContext) => unknown;

/** The chain of middleware that ends in the handler of the called method. */
export function createDispatch(
  handlers: Readonly<Record<string, unknown>>,
  middleware: readonly Interceptor[],
): Next {
  // A map, so that no method name can reach a member of Object.prototype.
  const table = new Map<string, AnyHandler>();
  for (const [name, handler] of Object.entries(handlers)) {
    if (typeof handler === "function") table.set(name, handler as AnyHandler);
  }
  const last: Next = async (call) => {
    const handler = table.get(call.methodName);
    if (!handler) throw unsupported(call);
    const headers: Headers = {};
    return toReply(call, await handler(call.input, contextOf(call, headers)), headers);
  };
  return middleware.length === 0 ? last : chain(middleware, last);
}

const contextOf = (call: Call, replyHeaders: Headers): HandlerContext => ({
  // A getter, because most calls never need the signal and making one is not free.
  get signal() {
    return call.signal;
  },
  headers: call.headers,
  replyHeaders,
  context: call.context,
  method: call.method,
});

const toReply = (call: Call, output: unknown, headers: Headers): Reply => {
  if (call.method.kind === "unary") return { stream: false, output, headers };
  if (isAsyncIterable(output)) return { stream: true, output, headers };
  throw new A2AError("INTERNAL_ERROR", "Internal error", {
    cause: new TypeError(`The handler of ${call.methodName} did not give an async iterable`),
  });
};

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

const unsupported = (call: Call): A2AError =>
  new A2AError("UNSUPPORTED_OPERATION", `This agent does not offer ${call.method.name}`);
