import type { Snapshot } from "../store/types.js";
import { TaskState } from "../versions/pivot.js";
import type { FarTask } from "./far-task.js";
import type { FollowedEvent } from "./followed-event.js";
import type { LiveTask } from "./live-task.js";
import { isTerminal } from "./states.js";

/**
 * What the caller of one message waits for: the rest that its message leads to, not one that was reached before the
 * agent took the message.
 */
export class Ticket {
  #floor = Number.POSITIVE_INFINITY;
  #whenTaken: (() => void)[] | undefined;
  #ask: (() => void) | undefined;
  /** Revision of the last pause that was met while the floor was not known; 0 for none. */
  #passed = 0;

  /** Revision after which a rest answers the message; infinite while the message waits in the inbox. */
  get floor(): number {
    return this.#floor;
  }

  set floor(floor: number) {
    this.#floor = floor;
    const waiting = this.#whenTaken;
    this.#whenTaken = undefined;
    for (const call of waiting ?? []) call();
  }

  /** The agent took the message. */
  get taken(): boolean {
    return this.#floor !== Number.POSITIVE_INFINITY;
  }

  /** A pause that answers the message was met before it was known that it does. */
  get passed(): boolean {
    return this.#passed > this.#floor;
  }

  /** The message waits elsewhere: how to find out when the agent takes it, once somebody wants to know. */
  askedBy(ask: () => void): void {
    this.#ask = ask;
  }

  /** Calls back when the agent takes the message. */
  whenTaken(call: () => void): void {
    if (this.taken) {
      call();
      return;
    }
    (this.#whenTaken ??= []).push(call);
    const ask = this.#ask;
    this.#ask = undefined;
    ask?.();
  }

  /** The task at that rest, or finished. */
  answer({ rest, terminal }: LiveTask): Snapshot | undefined {
    return rest !== undefined && (rest.at > this.#floor || terminal) ? rest : undefined;
  }

  /** Whether a task that goes on elsewhere has come to that rest, or ended. */
  answeredBy({ rest, terminal }: FarTask): boolean {
    return terminal || rest > this.#floor;
  }

  /** True for the event that ends the stream of the message. */
  closes({ state, n }: Pick<FollowedEvent, "state" | "n">, closesAtAuth: boolean): boolean {
    if (state === undefined) return false;
    if (isTerminal(state)) return true;
    const pause = state === TaskState.INPUT_REQUIRED || (closesAtAuth && state === TaskState.AUTH_REQUIRED);
    if (!pause) return false;
    if (!this.taken) this.#passed = n;
    return n > this.#floor;
  }
}
