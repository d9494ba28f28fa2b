import type { Call } from "../call.js";
import { decode, type Problem } from "../codec/decode.js";
import { isEmptyMessage } from "../codec/json.js";
import { A2AError, isA2AError } from "../errors.js";
import type { ClientOptions } from "./client-types.js";
import type { Run } from "./run.js";
import type { StreamPhase } from "./stream-end.js";
import type { TransportEvent } from "./transport.js";

/** Checks and normalises one value that an agent answered; leniencies go to `onWarning`. */
export function readValue({ methodName, method }: Call, raw: unknown, options: ClientOptions): unknown {
  const { output } = method;
  const problems: Problem[] = [];
  // An operation without a result may answer `{}`, `null`, 204 or nothing (Q13); agents in Go write null for an empty list.
  const nothing = isEmptyMessage(output) ? {} : output.is === "list" ? [] : null;
  const value: unknown = decode<unknown>(output, raw ?? nothing, {
    direction: "reply",
    mode: options.mode,
    problems,
  });
  for (const problem of problems) options.onWarning?.({ method: methodName, ...problem });
  return value;
}

/**
 * The events of a stream, checked one by one. Those of an unknown kind are passed over with a warning (decision 15).
 * An end or a break is `STREAM_CUT` unless the task had come to rest (A2A-SSE-d).
 */
export async function* readEvents(
  call: Call,
  raw: AsyncIterable<TransportEvent>,
  options: ClientOptions,
  run: Run | undefined,
): AsyncGenerator<unknown, void, undefined> {
  // Loaded with the first stream, like the parser: callers that never stream need not carry it.
  const { isUpdate, phaseAfter } = await import("./stream-end.js");
  let phase: StreamPhase = "empty";
  let cause: unknown;
  const warn = (code: string, message: string): void => {
    options.onWarning?.({ method: call.methodName, code, message });
  };
  try {
    for await (const { data, id, last } of raw) {
      let event: unknown;
      try {
        event = readValue(call, data, options);
      } catch (error) {
        const unknown = isA2AError(error) && (error.data as { unknownOnly?: readonly string[] } | undefined);
        if (!unknown || !unknown.unknownOnly) throw error;
        warn("unknown-event", `Skipped an event: ${unknown.unknownOnly.join(", ")}`);
        continue;
      }
      if (phase === "empty" && isUpdate(event) && !call.headers["last-event-id"]) {
        const message = "The stream starts with an update";
        if (!options.mode) throw new A2AError("INVALID_AGENT_RESPONSE", message, { code: -32006 });
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
  if (phase === "empty" || phase === "open") {
    const before = phase === "open" ? "the task came to rest" : "its first event";
    throw new A2AError("STREAM_CUT", `The stream ended before ${before}; get the task, or subscribe to it`, {
      cause,
    });
  }
}
