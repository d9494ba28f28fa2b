import type { Headers } from "../call.js";
import { decode, type Problem } from "../codec/decode.js";
import type { Bridge, ConversionOptions, Loss, MethodBridge } from "../convert/types.js";
import { A2AError, isA2AError } from "../errors.js";
import { isLast, isMessage, isUnknownOnly, unknownKind, withContext, withResult } from "./far-replies.js";
import type { Transport, TransportEvent, TransportRequest } from "./transport.js";

/** Options of `bridgeTransport`. */
export interface BridgeTransportOptions {
  readonly conversion?: ConversionOptions | undefined;
  /** Makes a near value of a reply that is an agent card, instead of tables and conversion: cards are a mix in practice. */
  readonly readCard?: ((raw: unknown) => unknown) | undefined;
}

/**
 * A transport for calls of `bridge.near` to a peer that speaks `bridge.far`: inputs are converted on the way out, replies
 * are checked by the far tables and converted on the way in, and so are errors. What could not be carried over is a warning
 * of the call. An operation that the far version lacks fails here, with `UNSUPPORTED_OPERATION`. A stream ends with the event that the far version calls its last.
 */
export function bridgeTransport(
  inner: Transport,
  bridge: Bridge,
  options: BridgeTransportOptions = {},
): Transport {
  const { near, far } = bridge;
  const { readCard } = options;

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
    warnOfLosses(request, losses, far.version);
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
  function incoming(
    raw: unknown,
    method: MethodBridge,
    request: TransportRequest,
  ): { far: unknown; near: unknown } {
    const problems: Problem[] = [];
    const { output } = method.far;
    const filled = request.mode && withContext(raw, output);
    if (filled)
      problems.push({ pointer: "/contextId", code: "missing_member", message: "missing, read as none" });
    const value: unknown = decode<unknown>(output, filled ?? withResult(raw, output), {
      direction: "reply",
      mode: request.mode,
      problems,
    });
    for (const problem of problems) request.onWarning?.(problem);
    const losses: Loss[] = [];
    const converted = method.output.up(value, options.conversion, losses);
    warnOfLosses(request, losses, near.version);
    return { far: value, near: converted };
  }

  /** As `incoming`; undefined for an event of a kind that this release does not know, which is told (decision 15). */
  function readEvent(
    raw: unknown,
    method: MethodBridge,
    request: TransportRequest,
  ): { far: unknown; near: unknown } | undefined {
    let unknown = unknownKind(raw, method.far.output);
    try {
      if (unknown === undefined) return incoming(raw, method, request);
    } catch (error) {
      if (!isA2AError(error) || !isUnknownOnly(error.data)) throw error;
      unknown = error.data.unknownOnly.join(", ");
    }
    request.onWarning?.({ code: "unknown-event", message: `Skipped an event: ${unknown}` });
    return undefined;
  }

  const failure = (error: unknown): unknown => (error instanceof A2AError ? bridge.errorUp(error) : error);

  async function* events(
    source: AsyncIterable<TransportEvent>,
    method: MethodBridge,
    request: TransportRequest,
  ): AsyncGenerator<TransportEvent, void, undefined> {
    let begun = false;
    try {
      for await (const event of source) {
        const read = readEvent(event.data, method, request);
        if (read === undefined) continue;
        const last = isLast(read.far);
        if (begun && isMessage(read.far)) {
          request.onWarning?.({ code: "message-after-task", message: "A message follows a task" });
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
        const value = isCard && readCard ? await readCard(output) : incoming(output, method, request).near;
        return { output: value, headers: nearHeaders(headers) };
      } catch (error) {
        throw failure(error);
      }
    },
    async stream(request) {
      const method = bridgeOf(request);
      try {
        const stream = await inner.stream(outgoing(request, method));
        return { events: events(stream.events, method, request), headers: nearHeaders(stream.headers) };
      } catch (error) {
        throw failure(error);
      }
    },
    close: async () => inner.close?.(),
  };
}

function warnOfLosses({ onWarning }: TransportRequest, losses: readonly Loss[], to: string): void {
  for (const { path, code } of losses) {
    // The same meaning in another spelling is no loss to whoever calls.
    if (code === "normalized") continue;
    onWarning?.({ code, message: `${code} on the way to A2A ${to}`, pointer: path });
  }
}
