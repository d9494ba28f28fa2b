import { JsonText } from "../json-text.js";
import type { StoredEvent } from "../store/types.js";
import type { StreamResponse, TaskState } from "../versions/pivot.js";

/** What an event costs besides its text parts, roughly, in characters. */
const FRAME = 200;

/** One event of a task: encoded once, when someone first needs the text, and shared by store and subscribers. */
export class EventRecord extends JsonText<StreamResponse> implements StoredEvent {
  readonly n: number;
  /** State of the status it sets, if it sets one. */
  readonly state: TaskState | undefined;
  /** Estimated characters of the text. */
  readonly size: number;

  /** `encode` gives the JSON of `event` where there is a shorter way to it. */
  constructor(n: number, event: StreamResponse, encode: () => string = () => JSON.stringify(event)) {
    super(encode, n);
    this.n = n;
    this.state = (event.statusUpdate ?? event.task)?.status.state;
    this.size = sizeOf(event);
  }
}

function sizeOf(event: StreamResponse): number {
  const parts = event.artifactUpdate?.artifact.parts ?? event.statusUpdate?.status.message?.parts;
  let size = FRAME;
  if (parts === undefined) return size;
  for (const part of parts) size += (part.text ?? part.raw ?? part.url)?.length ?? FRAME;
  return size;
}
