import type { FollowedEvent } from "./followed-event.js";
import type { FollowedTask } from "./followed-task.js";

/** Characters read from the store at a time, and held until they are taken. */
const READ = 256 * 1024;

/** The events of one who fell so far behind that only the store has them: read as they are asked for, a bounded number. */
export class Backlog {
  readonly #task: FollowedTask;
  readonly #ready: () => void;
  #events: readonly FollowedEvent[] = [];
  #at = 0;
  #asking = false;
  #gone = false;

  /** `ready` is called when what was not there at once can be read. */
  constructor(task: FollowedTask, ready: () => void) {
    this.#task = task;
    this.#ready = ready;
  }

  /** About `size` characters of the events after a revision. Undefined: not yet. Empty: they cannot be had. */
  read(after: number, size: number): readonly FollowedEvent[] | undefined {
    if (this.#at === this.#events.length && !this.#ask(after)) return undefined;
    const events: FollowedEvent[] = [];
    for (let sum = 0; sum < size; this.#at += 1) {
      const event = this.#events[this.#at];
      if (event === undefined) break;
      events.push(event);
      sum += event.size;
    }
    return events;
  }

  /** True where there is an answer: now, or that there will be none. */
  #ask(after: number): boolean {
    if (this.#gone) return true;
    if (this.#asking) return false;
    const answer = this.#task.replay(after, READ);
    if (!(answer instanceof Promise)) {
      this.#found(answer);
      return true;
    }
    this.#asking = true;
    void answer.then((events) => {
      this.#asking = false;
      this.#found(events);
      this.#ready();
    });
    return false;
  }

  #found(events: readonly FollowedEvent[] | undefined): void {
    this.#gone = events === undefined;
    this.#events = events ?? [];
    this.#at = 0;
  }
}
