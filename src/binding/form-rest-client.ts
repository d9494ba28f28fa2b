import type { TransportEvent, TransportRequest } from "../client/transport.js";
import { decode, type Problem } from "../codec/decode.js";
import { isObject } from "../codec/json.js";
import { misfits } from "../codec/misfits.js";
import { createBridge } from "../convert/bridge.js";
import type { Bridge, Loss, MethodBridge } from "../convert/types.js";
import type { ServiceDescriptor } from "../descriptor.js";
import { A2AError, isA2AError } from "../errors.js";
import type { RestDialect, RestForm } from "../rest-form.js";
import { decodeTwice, encodeTwice, warnOfDoubles } from "./double-base64.js";
import { fromLegacyBody } from "./from-legacy-body.js";

/**
 * HTTP+JSON of 0.x, which is the ProtoJSON of the proto and not the JSON of JSON-RPC: calls in the JSON are converted to it
 * and their replies back. A reply may come in either shape. Calls of the form itself pass as they are.
 */
export const formRest: RestForm = (base) => {
  const wire = base.transport(dialectOver(base.dialect));
  const forms = new Map<ServiceDescriptor, Promise<Bridge>>();

  function formOf(service: ServiceDescriptor): Promise<Bridge> | undefined {
    const { form } = service;
    const known = forms.get(service);
    if (form === undefined || known !== undefined) return known;
    const loading = form().then(({ service: far, hop }) =>
      createBridge([hop], { near: service, far }, { near: hop.newer, far: hop.older }),
    );
    forms.set(service, loading);
    // A failed import may succeed the next time.
    loading.catch(() => forms.delete(service));
    return loading;
  }

  /** The call in the form, and what its replies mean; undefined for a call that is in the form itself. */
  async function begin(request: TransportRequest): Promise<FormCall | undefined> {
    const bridge = await formOf(request.service);
    return bridge && formCall(request, bridge, base.doubleBase64);
  }

  return {
    binding: wire.binding,
    async unary(request) {
      const call = await begin(request);
      if (call === undefined) return wire.unary(request);
      const { output, headers } = await wire.unary(call.request);
      return { output: call.read(output), headers };
    },
    async stream(request) {
      const call = await begin(request);
      if (call === undefined) return wire.stream(request);
      const { events, headers } = await wire.stream(call.request);
      return { events: readEvents(events, call), headers };
    },
  };
};

interface FormCall {
  readonly request: TransportRequest;
  /** A reply in either shape, as JSON of the version. */
  readonly read: (raw: unknown) => unknown;
  readonly warn: (code: string, message: string, pointer?: string) => void;
}

function formCall(request: TransportRequest, bridge: Bridge, doubled: boolean): FormCall {
  const method = bridge.byNearName.get(request.methodName);
  if (method === undefined)
    throw new A2AError(
      "UNSUPPORTED_OPERATION",
      `The ProtoJSON of A2A ${request.service.version} has no ${request.method.name}`,
    );
  const warn: FormCall["warn"] = (code, message, pointer) =>
    request.onWarning?.({ code, message, ...(pointer !== undefined && { pointer }) });
  const losses: Loss[] = [];
  const converted = method.input.down(request.input, {}, losses);
  const dropped = losses.filter(({ code }) => code === "dropped" || code === "truncated");
  for (const { code, path } of dropped) warn(code, `${code}: the ProtoJSON of 0.x has no place for it`, path);
  return {
    request: {
      ...request,
      service: bridge.far,
      methodName: method.farName,
      method: method.far,
      input: doubled ? encodeTwice(method.far.input, converted) : converted,
    },
    read(raw) {
      const value = readReply(raw, method, request, doubled, warn);
      // "No history" cannot be said there: 0 means all of it.
      return dropped.some(({ path }) => path.endsWith("/historyLength")) ? withoutHistory(value) : value;
    },
    warn,
  };
}

function readReply(
  raw: unknown,
  method: MethodBridge,
  { mode }: TransportRequest,
  doubled: boolean,
  warn: FormCall["warn"],
): unknown {
  const { near, far, output } = method;
  // Empty, `{}`, `null` and 204 all say that it was done.
  if (near.output.is === "null") return null;
  if (raw === undefined) return raw;
  const json = inJson(raw, method);
  if (json !== undefined) return json;
  const problems: Problem[] = [];
  const value: unknown = decode<unknown>(far.output, raw, { direction: "reply", mode, problems });
  for (const { code, message, pointer } of problems) warn(code, message, pointer);
  if (!doubled) warnOfDoubles(far.output, value, warn);
  return output.up(doubled ? decodeTwice(far.output, value, warn) : value);
}

/** The value, where it is JSON of the version, or holds it in the member of the form; some peers answer so. */
function inJson(raw: unknown, { near, far }: MethodBridge): unknown {
  let least = misfits(far.output, raw);
  let found: unknown;
  const [inner, ...others] = isObject(raw) ? Object.values(raw) : [];
  for (const value of others.length === 0 && isObject(inner) ? [raw, inner] : [raw]) {
    const count = misfits(near.output, value);
    if (count >= least) continue;
    least = count;
    found = value;
  }
  return found;
}

async function* readEvents(
  events: AsyncIterable<TransportEvent>,
  { read, warn }: FormCall,
): AsyncGenerator<TransportEvent, void, undefined> {
  for await (const event of events) {
    try {
      yield { ...event, data: read(event.data) };
    } catch (error) {
      // An event of a kind that the version does not know (decision 15).
      const unknown = isA2AError(error) && (error.data as { unknownOnly?: readonly string[] } | undefined);
      if (!unknown || !unknown.unknownOnly) throw error;
      warn("unknown-event", `Skipped an event: ${unknown.unknownOnly.join(", ")}`);
    }
  }
}

function withoutHistory(value: unknown): unknown {
  if (!isObject(value) || !Object.hasOwn(value, "history")) return value;
  const { history: _, ...task } = value;
  return task;
}

/** Peers of 0.x: errors of any form, and routes that they have or have not. */
const dialectOver = <R extends { readonly status: number }>(base: RestDialect<R>): RestDialect<R> => ({
  errorOf(request, response, json) {
    const { service, method } = request;
    return fromLegacyBody(
      json,
      { service, method, status: response.status },
      base.errorOf(request, response, json),
    );
  },
  isElsewhere(request, error, route, next) {
    const { reason, code, status = 0 } = error;
    if (base.isElsewhere(request, error, route, next)) return true;
    // Some take the whole request as the body where the proto says one field of it, and fail in their own way.
    const otherBody = route.verb === next.verb && route.path === next.path;
    const isUnnamed = code === undefined && !Object.hasOwn(request.service.errors, reason);
    return (
      otherBody && (isUnnamed || code === -32602) && (status === 400 || status === 422 || status === 500)
    );
  },
});
