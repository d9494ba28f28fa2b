import { canonicalCheck, type CanonicalParts } from "../codec/canonical.js";
import type { A2AError, isA2AError } from "../errors.js";
import type { readValue } from "./read-reply.js";
import type { Run } from "./run.js";
import { cutBefore, isUpdate, phaseAfter, type StreamPhase } from "./stream-end.js";
import { SKIPPED, TakeMapped } from "./take-mapped.js";
import type { TransportEvent, TransportRequest } from "./transport.js";

/** What unary calls use as well: it is handed over, so that bundlers can keep this file apart from them. */
export interface SharedReading extends CanonicalParts {
  readonly A2AError: typeof A2AError;
  readonly isA2AError: typeof isA2AError;
  readonly readValue: typeof readValue;
}

/**
 * The events of a stream, checked one by one; nearly all are canonical, which is quickly seen. Those of an unknown kind are
 * passed over with a warning (decision 15). An end or a break is `STREAM_CUT` unless the task had come to rest (A2A-SSE-d). Loaded with the first stream, like the
 * parser: callers that never stream need not carry it.
 */
export function readEvents(
  request: TransportRequest,
  raw: AsyncIterable<TransportEvent>,
  run: Run | undefined,
  shared: SharedReading,
): AsyncIterableIterator<unknown> {
  const { A2AError, isA2AError, readValue } = shared;
  const isCanonical = canonicalCheck(request.method.output, shared);
  let phase: StreamPhase = "empty";
  const warn = (code: string, message: string): void => {
    request.onWarning?.({ code, message });
  };

  function read(data: unknown): unknown {
    if (isCanonical(data, 0)) return data;
    try {
      return readValue(request, data);
    } catch (error) {
      const unknown = isA2AError(error) && (error.data as { unknownOnly?: readonly string[] } | undefined);
      if (!unknown || !unknown.unknownOnly) throw error;
      warn("unknown-event", `Skipped an event: ${unknown.unknownOnly.join(", ")}`);
      return SKIPPED;
    }
  }

  function ended(cause?: unknown): void {
    const cut = cutBefore(phase);
    if (cut) throw new A2AError("STREAM_CUT", cut, { cause });
  }

  return new TakeMapped<TransportEvent, unknown>(raw, {
    value({ data, id, last }) {
      const event = read(data);
      if (event === SKIPPED) return SKIPPED;
      if (phase === "empty" && isUpdate(event) && !request.headers["last-event-id"]) {
        const message = "The stream starts with an update";
        if (!request.mode) throw new A2AError("INVALID_AGENT_RESPONSE", message, { code: -32006 });
        warn("stream-start", message);
      }
      phase = phaseAfter(phase, event, last);
      if (run) {
        run.over = phase === "over";
        run.lastEventId = id ?? run.lastEventId;
      }
      return event;
    },
    ended,
    failed(error) {
      if (!isA2AError(error, "NETWORK")) throw error;
      ended(error);
    },
  });
}
