import { JsonText } from "../json-text.js";
import type { StoredEvent } from "../store/types.js";
import type { Message, Part, StreamResponse, TaskState } from "../versions/pivot.js";
import type { FollowedEvent } from "./followed-event.js";
import { sizeOfJson } from "./size-of-json.js";

/** What an event costs besides its text parts, roughly, in characters. */
export const FRAME = 200;

/** One event of a task: encoded once, when someone first needs the text, and shared by store and subscribers. */
export class EventRecord extends JsonText<StreamResponse> implements StoredEvent, FollowedEvent {
  readonly n: number;
  /** State of the status it sets, if it sets one. */
  readonly state: TaskState | undefined;
  /** Estimated characters of the text. */
  readonly size: number;
  /** Until the text is made. */
  #event: StreamResponse | undefined;

  /** `event` is never changed. */
  constructor(n: number, event: StreamResponse) {
    super(undefined, n);
    this.n = n;
    this.state = (event.statusUpdate ?? event.task)?.status.state;
    this.size = sizeOf(event);
    this.#event = event;
  }

  /** The event itself; it is parsed where its text is made already. */
  override value(): StreamResponse {
    return this.#event ?? super.value();
  }

  override get oneLine(): boolean {
    return true;
  }

  protected override encode(): string {
    const event = this.#event;
    this.#event = undefined;
    return JSON.stringify(event);
  }
}

function sizeOf({ artifactUpdate, statusUpdate, task }: StreamResponse): number {
  if (artifactUpdate !== undefined) {
    const { artifact, metadata } = artifactUpdate;
    return FRAME + sizeOfJson(metadata) + sizeOfJson(artifact.metadata) + sizeOfParts(artifact.parts);
  }
  if (statusUpdate !== undefined) {
    return FRAME + sizeOfJson(statusUpdate.metadata) + sizeOfMessage(statusUpdate.status.message);
  }
  let size = FRAME;
  if (task === undefined) return size;
  size += sizeOfJson(task.metadata) + sizeOfMessage(task.status.message);
  for (const message of task.history ?? []) size += FRAME + sizeOfMessage(message);
  for (const { parts, metadata } of task.artifacts ?? [])
    size += FRAME + sizeOfJson(metadata) + sizeOfParts(parts);
  return size;
}

const sizeOfMessage = (message: Message | undefined): number =>
  message === undefined ? 0 : sizeOfJson(message.metadata) + sizeOfParts(message.parts);

function sizeOfParts(parts: readonly Part[]): number {
  let size = 0;
  for (const { text, raw, url, data, metadata } of parts)
    size += ((text ?? raw ?? url)?.length ?? FRAME + sizeOfJson(data)) + sizeOfJson(metadata);
  return size;
}
