import type { JsonObject } from "../descriptor.js";
import { checkedData } from "./extension-data.js";
import type { ExtensionCall, ServerExtension } from "./extension-types.js";
import type { HandlerContext } from "./router-types.js";

type AnyHandler = (input: unknown, ctx: HandlerContext) => unknown;
interface WithMetadata {
  readonly metadata?: JsonObject;
  readonly message?: { readonly metadata?: JsonObject };
}

/** Operations that first check and activate the extensions which are active for a call; the others know nothing of it. */
export function withHooks<T extends object>(handlers: T, extensions: readonly ServerExtension[]): T {
  const hooked = new Map(
    extensions.filter(({ schema, activate }) => schema ?? activate).map((one) => [one.uri, one]),
  );
  if (hooked.size === 0) return handlers;
  const wrapped = Object.entries(handlers).map(([name, handler]): [string, unknown] => [
    name,
    async (input: unknown, ctx: HandlerContext) => {
      let checked = input;
      for (const uri of new Set(ctx.context.activatedExtensions)) {
        const extension = hooked.get(uri);
        if (extension) checked = await activate(extension, checked, ctx);
      }
      return (handler as AnyHandler)(checked, ctx);
    },
  ]);
  return Object.fromEntries(wrapped) as T;
}

/** A call as an extension sees it. */
export function extensionCall(uri: string, data: unknown, ctx: HandlerContext): ExtensionCall {
  const { method, context, headers, replyHeaders } = ctx;
  return {
    uri,
    data,
    method: method.name,
    principal: context.principal,
    tenant: context.tenant,
    headers,
    replyHeaders,
    context,
    get signal() {
      return ctx.signal;
    },
  };
}

async function activate(extension: ServerExtension, input: unknown, ctx: HandlerContext): Promise<unknown> {
  const { uri, schema } = extension;
  const given = (input ?? {}) as WithMetadata;
  const metadata = await checkedIn(given.metadata, "metadata");
  const inMessage = await checkedIn(given.message?.metadata, "message.metadata");
  const data = metadata?.[uri] ?? inMessage?.[uri];
  await extension.activate?.(extensionCall(uri, data, ctx));
  if (metadata === given.metadata && inMessage === given.message?.metadata) return input;
  return {
    ...given,
    ...(metadata && { metadata }),
    ...(given.message && { message: { ...given.message, ...(inMessage && { metadata: inMessage }) } }),
  };

  async function checkedIn(from: JsonObject | undefined, field: string): Promise<JsonObject | undefined> {
    if (schema === undefined || from === undefined || !Object.hasOwn(from, uri)) return from;
    const value = await checkedData(schema, from[uri], `${field}["${uri}"]`);
    return value === from[uri] ? from : { ...from, [uri]: value as JsonObject };
  }
}
