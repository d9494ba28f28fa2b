import { A2AError } from "../errors.js";

/** A refused field of a request: INVALID_PARAMS with the violation. */
export function invalid(field: string, description: string): A2AError {
  const pointer = "/" + field.replaceAll(/\[(\d+)\]/g, ".$1").replaceAll(".", "/");
  return new A2AError("INVALID_PARAMS", `${field}: ${description}`, {
    code: -32602,
    violations: [{ field, pointer, description }],
  });
}

/** The one answer for a task that is not there and one that the caller may not see (A2A-3.3.2-k). */
export function taskNotFound(id: string): A2AError {
  // An id of a megabyte is not worth repeating twice.
  const taskId = id.length > 256 ? `${id.slice(0, 256)}…` : id;
  return new A2AError("TASK_NOT_FOUND", `Task not found: ${taskId}`, { metadata: { taskId } });
}

/** Refuses a negative length (A2A-3.2.4-e). */
export function checkHistoryLength(length: number | undefined, field: string): void {
  if (length !== undefined && length < 0)
    throw invalid(field, `must not be negative; this is ${String(length)}`);
}
