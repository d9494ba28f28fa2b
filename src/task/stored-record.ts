import { JsonText } from "../json-text.js";
import type { StoredEvent } from "../store/types.js";
import type { StreamResponse, TaskState } from "../versions/pivot.js";
import type { FollowedEvent } from "./followed-event.js";

/** An event as a store gives it back. */
export class StoredRecord extends JsonText<StreamResponse> implements FollowedEvent {
  readonly n: number;
  readonly size: number;
  #state: TaskState | undefined;
  #stateKnown = false;

  constructor({ n, text }: StoredEvent) {
    super(text, n);
    this.n = n;
    this.size = text.length;
  }

  get state(): TaskState | undefined {
    if (this.#stateKnown) return this.#state;
    this.#stateKnown = true;
    // Most events are parts of artifacts, and need not be parsed to know that they set none.
    if (this.text.startsWith('{"artifactUpdate"')) return undefined;
    const { statusUpdate, task } = this.value();
    return (this.#state = (statusUpdate ?? task)?.status.state);
  }
}
