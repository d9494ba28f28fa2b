import { TaskState } from "../versions/pivot.js";

/** States that nothing leaves (A2A-4.1.3-b). */
export const isTerminal = (state: TaskState): boolean =>
  state === TaskState.COMPLETED ||
  state === TaskState.FAILED ||
  state === TaskState.CANCELED ||
  state === TaskState.REJECTED;

/** States that wait for the client (A2A-4.1.3-c). */
export const isInterrupted = (state: TaskState): boolean =>
  state === TaskState.INPUT_REQUIRED || state === TaskState.AUTH_REQUIRED;

/** Terminal or interrupted: where a blocking call answers (A2A-3.2.2-a). */
export const isAtRest = (state: TaskState): boolean => isTerminal(state) || isInterrupted(state);
