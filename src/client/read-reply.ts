import { decode, type Problem } from "../codec/decode.js";
import { isEmptyMessage } from "../codec/json.js";
import { A2AError, isA2AError } from "../errors.js";
import type { Run } from "./run.js";
import type { StreamPhase } from "./stream-end.js";
import type { TransportEvent, TransportRequest } from "./transport.js";

/** Checks and normalises one value that an agent answered; leniencies go to `onWarning`. */
export function readValue({ method, mode, onWarning }: TransportRequest, raw: unknown): unknown {
  const { output } = method;
  const problems: Problem[] = [];
  // An operation without a result may answer `{}`, `null`, 204 or nothing (Q13); agents in Go write null for an empty list.
  const nothing = isEmptyMessage(output) ? {} : output.is === "list" ? [] : null;
  const value: unknown = decode<unknown>(output, raw ?? nothing, {
    direction: "reply",
    mode,
    problems,
  });
  for (const problem of problems) onWarning?.(problem);
  return value;
}

/**
 * The events of a stream, checked one by one. Those of an unknown kind are passed over with a warning (decision 15).
 * An end or a break is `STREAM_CUT` unless the task had come to rest (A2A-SSE-d).
 */
export async function* readEvents(
  request: TransportRequest,
  raw: AsyncIterable<TransportEvent>,
  run: Run | undefined,
): AsyncGenerator<unknown, void, undefined> {
  // Loaded with the first stream, like the parser: callers that never stream need not carry it.
  const { cutBefore, isUpdate, phaseAfter } = await import("./stream-end.js");
  let phase: StreamPhase = "empty";
  let cause: unknown;
  const warn = (code: string, message: string): void => {
    request.onWarning?.({ code, message });
  };
  try {
    for await (const { data, id, last } of raw) {
      let event: unknown;
      try {
        event = readValue(request, data);
      } catch (error) {
        const unknown = isA2AError(error) && (error.data as { unknownOnly?: readonly string[] } | undefined);
        if (!unknown || !unknown.unknownOnly) throw error;
        warn("unknown-event", `Skipped an event: ${unknown.unknownOnly.join(", ")}`);
        continue;
      }
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
      yield event;
    }
  } catch (error) {
    if (!isA2AError(error, "NETWORK")) throw error;
    cause = error;
  }
  const cut = cutBefore(phase);
  if (cut) throw new A2AError("STREAM_CUT", cut, { cause });
}
