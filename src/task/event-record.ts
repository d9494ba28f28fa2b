import { JsonText } from "../json-text.js";
import type { StoredEvent } from "../store/types.js";
import type { StreamResponse, TaskState } from "../versions/pivot.js";

/** What an event costs besides its text parts, roughly, in characters. */
const FRAME = 200;

/** The text around the part that changes from event to event, where that is known: the rest need not be encoded. */
export interface EventFrame {
  readonly head: string;
  readonly tail: string;
}

/** One event of a task: encoded once, when someone first needs the text, and shared by store and subscribers. */
export class EventRecord extends JsonText<StreamResponse> implements StoredEvent {
  readonly n: number;
  /** State of the status it sets, if it sets one. */
  readonly state: TaskState | undefined;
  /** Estimated characters of the text. */
  readonly size: number;
  #event: StreamResponse | undefined;
  readonly #frame: EventFrame | undefined;

  /** With a frame, the event is it around the text of its one part. `event` is never changed. */
  constructor(n: number, event: StreamResponse, frame?: EventFrame) {
    super(undefined, n);
    this.n = n;
    this.state = (event.statusUpdate ?? event.task)?.status.state;
    this.size = sizeOf(event);
    this.#event = event;
    this.#frame = frame;
  }

  /** The event itself, until its text is made. */
  override value(): StreamResponse {
    return this.#event ?? super.value();
  }

  protected override encode(): string {
    const event = this.#event;
    this.#event = undefined;
    const text = this.#frame && event?.artifactUpdate?.artifact.parts[0]?.text;
    return this.#frame === undefined || text === undefined
      ? JSON.stringify(event)
      : this.#frame.head + JSON.stringify(text) + this.#frame.tail;
  }
}

function sizeOf(event: StreamResponse): number {
  const parts = event.artifactUpdate?.artifact.parts ?? event.statusUpdate?.status.message?.parts;
  let size = FRAME;
  if (parts === undefined) return size;
  for (const part of parts) size += (part.text ?? part.raw ?? part.url)?.length ?? FRAME;
  return size;
}
