import type { Snapshot } from "../store/types.js";
import { TaskState } from "../versions/pivot.js";
import type { FollowedEvent } from "./followed-event.js";
import type { LiveTask } from "./live-task.js";
import { isTerminal } from "./states.js";

/**
 * What the caller of one message waits for: the rest that its message leads to, not one that was reached before the
 * agent took the message.
 */
export class Ticket {
  /** Revision after which a rest answers the message; unknown while the message waits in the inbox. */
  floor = Number.POSITIVE_INFINITY;

  /** The task at that rest, or finished. */
  answer({ rest, terminal }: LiveTask): Snapshot | undefined {
    return rest !== undefined && (rest.at > this.floor || terminal) ? rest : undefined;
  }

  /** True for the event that ends the stream of the message. */
  closes({ state, n }: FollowedEvent, closesAtAuth: boolean): boolean {
    if (state === undefined) return false;
    if (isTerminal(state)) return true;
    const pause = state === TaskState.INPUT_REQUIRED || (closesAtAuth && state === TaskState.AUTH_REQUIRED);
    return pause && n > this.floor;
  }
}
