import type { Headers } from "../call.js";
import { decode, type Leniency, type Problem } from "../codec/decode.js";
import { isObject } from "../codec/json.js";
import type { Bridge, ConversionOptions, Loss, MethodBridge } from "../convert/types.js";
import type { Rule } from "../descriptor.js";
import { A2AError, isA2AError } from "../errors.js";
import type { ClientWarning } from "./client-types.js";
import type { Transport, TransportEvent, TransportRequest } from "./transport.js";

/** Options of `bridgeTransport`. */
export interface BridgeTransportOptions {
  /** How replies of the far side are read; default: as its version says. */
  readonly mode?: Leniency | undefined;
  readonly conversion?: ConversionOptions | undefined;
  /** Told what could not be carried over, either way, and about leniencies. */
  readonly onWarning?: ((warning: ClientWarning) => void) | undefined;
  /** Makes a near value of a reply that is an agent card, instead of tables and conversion: cards are a mix in practice. */
  readonly readCard?: ((raw: unknown) => unknown) | undefined;
}

/**
 * A transport for calls of `bridge.near` to a peer that speaks `bridge.far`: inputs are converted on the way out, replies
 * are checked by the far tables and converted on the way in, and so are errors. An operation that the far version lacks
 * fails here, with `UNSUPPORTED_OPERATION`. A stream ends with the event that the far version calls its last.
 */
export function bridgeTransport(
  inner: Transport,
  bridge: Bridge,
  options: BridgeTransportOptions = {},
): Transport {
  const { near, far } = bridge;
  const { onWarning, readCard } = options;

  const warnOfLosses = (method: string, losses: readonly Loss[], to: string): void => {
    for (const { path, code } of losses) {
      // The same meaning in another spelling is no loss to whoever calls.
      if (code === "normalized") continue;
      onWarning?.({ method, code, message: `${code} on the way to A2A ${to}`, pointer: path });
    }
  };

  function bridgeOf({ methodName, method }: TransportRequest): MethodBridge {
    const found = bridge.byNearName.get(methodName);
    if (found) return found;
    throw new A2AError(
      "UNSUPPORTED_OPERATION",
      `A2A ${far.version}, which the agent speaks, has no ${method.name}`,
      {
        code: near.errors["UNSUPPORTED_OPERATION"]?.code,
      },
    );
  }

  function outgoing(request: TransportRequest, method: MethodBridge): TransportRequest {
    const losses: Loss[] = [];
    const input = method.input.down(request.input, options.conversion, losses);
    warnOfLosses(request.methodName, losses, far.version);
    return {
      ...request,
      service: far,
      methodName: method.farName,
      method: method.far,
      input,
      headers: farHeaders(request.headers),
    };
  }

  /** The version of the far side, and the extensions under the names of both (version mapping 3.3). */
  function farHeaders(headers: Headers): Headers {
    const { [near.headers.version]: version, ...others } = headers;
    const extensions = headers[near.headers.extensions];
    return {
      ...others,
      [far.headers.version]: version === undefined || version === near.version ? far.version : version,
      ...(extensions !== undefined && { [far.headers.extensions]: extensions }),
    };
  }

  const nearHeaders = (headers: Headers): Headers => {
    const extensions = headers[far.headers.extensions];
    return extensions === undefined ? headers : { [near.headers.extensions]: extensions, ...headers };
  };

  /** A value of the far side: `far` as its tables read it, `near` what it means here. */
  function incoming(raw: unknown, method: MethodBridge): { far: unknown; near: unknown } {
    const problems: Problem[] = [];
    const { output } = method.far;
    const value: unknown = decode<unknown>(output, withResult(raw, output), {
      direction: "reply",
      mode: options.mode,
      problems,
    });
    for (const problem of problems) onWarning?.({ method: method.nearName, ...problem });
    const losses: Loss[] = [];
    const converted = method.output.up(value, options.conversion, losses);
    warnOfLosses(method.nearName, losses, near.version);
    return { far: value, near: converted };
  }

  const failure = (error: unknown): unknown => (error instanceof A2AError ? bridge.errorUp(error) : error);

  async function* events(
    source: AsyncIterable<TransportEvent>,
    method: MethodBridge,
  ): AsyncGenerator<TransportEvent, void, undefined> {
    let begun = false;
    try {
      for await (const event of source) {
        let read: { far: unknown; near: unknown };
        try {
          read = incoming(event.data, method);
        } catch (error) {
          if (!isUnknownEvent(error)) throw error;
          onWarning?.({
            method: method.nearName,
            code: "unknown-event",
            message: `Skipped an event: ${error.message}`,
          });
          continue;
        }
        const last = isLast(read.far);
        if (begun && isMessage(read.far)) {
          onWarning?.({
            method: method.nearName,
            code: "message-after-task",
            message: "A message follows a task",
          });
        }
        begun = true;
        yield { ...event, data: read.near, ...(last && { last }) };
        if (last) return;
      }
    } catch (error) {
      throw failure(error);
    }
  }

  return {
    binding: inner.binding,
    async unary(request) {
      const method = bridgeOf(request);
      try {
        const { output, headers } = await inner.unary(outgoing(request, method));
        const isCard = method.near.output === near.card.table;
        const value = isCard && readCard ? readCard(output) : incoming(output, method).near;
        return { output: value, headers: nearHeaders(headers) };
      } catch (error) {
        throw failure(error);
      }
    },
    async stream(request) {
      const method = bridgeOf(request);
      try {
        const stream = await inner.stream(outgoing(request, method));
        return { events: events(stream.events, method), headers: nearHeaders(stream.headers) };
      } catch (error) {
        throw failure(error);
      }
    },
    close: async () => inner.close?.(),
  };
}

/**
 * A result as its rule has it, where peers are known to write another one: `null`, `{}` or nothing after a deletion, and
 * for a list the object that a later version wraps it in, or nothing for an empty one.
 */
function withResult(raw: unknown, rule: Rule): unknown {
  if (rule.is === "null") return isObject(raw) && Object.keys(raw).length === 0 ? null : (raw ?? null);
  if (rule.is !== "list" || Array.isArray(raw)) return raw;
  if (isObject(raw) && Array.isArray(raw["configs"])) return raw["configs"];
  return raw ?? [];
}

/** An event of a kind that this release does not know. */
const isUnknownEvent = (error: unknown): error is A2AError =>
  isA2AError(error) && (error.data as { unknownOnly?: unknown } | undefined)?.unknownOnly !== undefined;

interface AnyEvent {
  readonly kind?: unknown;
  readonly final?: unknown;
  readonly message?: unknown;
  readonly statusUpdate?: { readonly final?: unknown };
}

const isMessage = (event: unknown): boolean => {
  const { kind, message } = event as AnyEvent;
  return kind === "message" || (kind === undefined && message !== undefined);
};

/** 0.x says itself which event is the last; a message always is. */
const isLast = (event: unknown): boolean => {
  const { final, statusUpdate } = event as AnyEvent;
  return (final ?? statusUpdate?.final) === true || isMessage(event);
};
