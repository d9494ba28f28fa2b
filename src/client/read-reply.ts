import { decode, type Problem } from "../codec/decode.js";
import type { MethodDescriptor } from "../descriptor.js";
import { A2AError, isA2AError } from "../errors.js";
import type { ClientOptions } from "./client-types.js";
import type { Run } from "./run.js";
import { isUpdate, phaseAfter, type StreamPhase } from "./stream-end.js";
import type { TransportEvent } from "./transport.js";

/** Checks and normalises what an agent answered. */
export interface ReplyReader {
  value(methodName: string, method: MethodDescriptor, raw: unknown): unknown;
  events(
    methodName: string,
    method: MethodDescriptor,
    raw: AsyncIterable<TransportEvent>,
    run: Run | undefined,
    resumed: boolean,
  ): AsyncGenerator<unknown, void, undefined>;
}

/** Reader for the `mode` of a client; leniencies go to `onWarning`. */
export function createReplyReader({ mode = "strict", onWarning }: ClientOptions): ReplyReader {
  function read(methodName: string, { output }: MethodDescriptor, raw: unknown): unknown {
    const problems: Problem[] = [];
    // An operation without a result may answer `{}`, `null`, 204 or nothing (Q13).
    const nothing = output.is === "object" && Object.keys(output.fields).length === 0 ? {} : null;
    if (raw === undefined && nothing === null && output.is === "object") {
      throw new A2AError("DECODE", `The agent answered ${methodName} with an empty body`);
    }
    const value: unknown = decode<unknown>(output, raw ?? nothing, { direction: "reply", mode, problems });
    for (const problem of problems) onWarning?.({ method: methodName, ...problem });
    return value;
  }

  return {
    value: read,
    async *events(methodName, method, raw, run, resumed) {
      let phase: StreamPhase = "empty";
      let cause: unknown;
      try {
        for await (const { data, id } of raw) {
          let event: unknown;
          try {
            event = read(methodName, method, data);
          } catch (error) {
            const names = unknownMembers(error);
            if (names === undefined) throw error;
            onWarning?.({
              method: methodName,
              code: "unknown-event",
              message: `Skipped an event of an unknown kind: ${names}`,
            });
            continue;
          }
          if (phase === "empty" && !resumed && isUpdate(event)) {
            const message = "The stream starts with an update instead of a task or a message";
            if (mode === "strict") throw new A2AError("INVALID_AGENT_RESPONSE", message, { code: -32006 });
            onWarning?.({ method: methodName, code: "stream-start", message });
          }
          phase = phaseAfter(phase, event);
          if (run) {
            run.over = phase === "over";
            if (id !== undefined) run.lastEventId = id;
          }
          yield event;
        }
      } catch (error) {
        if (!isA2AError(error, "NETWORK")) throw error;
        cause = error;
      }
      if (phase === "empty" || phase === "open") {
        const after = phase === "empty" ? "before the first event" : "before the task came to rest";
        throw new A2AError(
          "STREAM_CUT",
          `The stream ended ${after}; get the task, or subscribe to it with lastEventId`,
          cause === undefined ? {} : { cause },
        );
      }
    },
  };
}

// Decision 15: an event whose only members are unknown is passed over.
function unknownMembers(error: unknown): string | undefined {
  if (!(error instanceof A2AError)) return undefined;
  const names = (error.data as { unknownOnly?: readonly string[] } | null | undefined)?.unknownOnly;
  return names?.join(", ");
}
