import { isObject } from "../codec/json.js";
import { A2AError } from "../errors.js";
import type {
  Message,
  StreamResponse,
  Task,
  TaskArtifactUpdateEvent,
  TaskStatusUpdateEvent,
} from "../versions/pivot.js";
import { payloadOf } from "./payload.js";

/**
 * Wraps what happened as a 1.x stream event: `streamResponse(task)` is `{ task }`. What is one already is returned as
 * it is. Throws `INVALID_PARAMS` for anything else.
 */
export function streamResponse(
  event: Task | Message | TaskStatusUpdateEvent | TaskArtifactUpdateEvent | StreamResponse,
): StreamResponse {
  const given: unknown = event;
  if (isObject(given)) {
    if (members.some((name) => isObject(given[name]))) return event as StreamResponse;
    const payload = payloadOf(given);
    // The members were looked at: the event is what `payload` says.
    if (payload !== undefined) return { [payload]: event } as unknown as StreamResponse;
  }
  throw new A2AError(
    "INVALID_PARAMS",
    "Expected a task, a message, a status update or an artifact update to wrap as a stream event",
  );
}

const members = ["task", "message", "statusUpdate", "artifactUpdate"] as const;
