import type { JsonObject, MethodDescriptor, ServiceDescriptor } from "../descriptor.js";
import { A2AError } from "../errors.js";
import { checkedData } from "./extension-data.js";
import { extensionCall } from "./extension-hooks.js";
import type { ExtensionMethod, ServerExtension } from "./extension-types.js";
import type { HandlerContext } from "./router-types.js";

/**
 * A service with the operations that extensions add (A2A-EXT-l), and their handlers: they come the way of all others,
 * through authentication, limits and required extensions (A2A-EXT-i). Throws `CONFIG` for a name that is taken.
 */
export function withExtensionMethods<S extends ServiceDescriptor, H extends object>(
  service: S,
  handlers: H,
  extensions: readonly ServerExtension[],
): { readonly service: S; readonly handlers: H } {
  const added = extensions.flatMap(({ uri, methods = {} }) =>
    Object.entries(methods).map(([name, method]) => ({ uri, name, method })),
  );
  if (added.length === 0) return { service, handlers };
  const taken = new Set(Object.values(service.methods).map(({ jsonrpc }) => jsonrpc));
  const methods: Record<string, MethodDescriptor> = { ...service.methods };
  const all: Record<string, unknown> = Object.fromEntries(Object.entries(handlers));
  for (const { uri, name, method } of added) {
    if (taken.has(name) || Object.hasOwn(methods, name)) throw config(`there is a method ${name} already`);
    if (method.path !== undefined && !method.path.startsWith("/")) {
      throw config(`the path of ${name} must begin with a slash`);
    }
    taken.add(name);
    methods[name] = descriptorOf(name, method);
    all[name] = handlerOf(uri, method);
  }
  return { service: { ...service, methods }, handlers: all as H };
}

const descriptorOf = (name: string, { path }: ExtensionMethod): MethodDescriptor => ({
  name,
  kind: "unary",
  jsonrpc: name,
  rest: path === undefined ? [] : [{ verb: "POST", path, body: "*" }],
  input: { is: "struct" },
  output: { is: "json" },
  idempotent: false,
  errors: [],
});

const handlerOf =
  (uri: string, { handle, schema }: ExtensionMethod) =>
  async (input: JsonObject, ctx: HandlerContext): Promise<unknown> => {
    if (ctx.context.activatedExtensions?.includes(uri) !== true) throw notActive(uri, ctx.method.name);
    const params = schema === undefined ? input : await checkedData(schema, input, "");
    return handle(params as JsonObject, extensionCall(uri, undefined, ctx));
  };

const notActive = (uri: string, name: string): A2AError =>
  new A2AError(
    "EXTENSION_SUPPORT_REQUIRED",
    `${name} belongs to the extension ${uri}: name it in the a2a-extensions header`,
    { code: -32008, metadata: { extensions: uri } },
  );

const config = (problem: string): A2AError => new A2AError("CONFIG", `extensions: ${problem}`);
