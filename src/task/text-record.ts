import { JsonText } from "../json-text.js";
import type { StoredEvent } from "../store/types.js";
import type { StreamResponse } from "../versions/pivot.js";
import type { FollowedEvent } from "./followed-event.js";
import { FRAME } from "./event-record.js";
import type { TextFrame } from "./text-frame.js";

/**
 * As `EventRecord`, the event that adds a text to an artifact. There are many of them, and they live long: only the text is
 * kept, as it is and as JSON, which is made once.
 */
export class TextRecord extends JsonText<StreamResponse> implements StoredEvent, FollowedEvent {
  readonly n: number;
  readonly #added: string;
  readonly frame: TextFrame;
  #json: string | undefined;

  constructor(n: number, added: string, frame: TextFrame) {
    super(undefined, n);
    this.n = n;
    this.#added = added;
    this.frame = frame;
  }

  get state(): undefined {
    return undefined;
  }

  get size(): number {
    return FRAME + this.#added.length;
  }

  override get text(): string {
    return this.frame.around(this.part);
  }

  /** The text as JSON. */
  get part(): string {
    return (this.#json ??= JSON.stringify(this.#added));
  }

  override get oneLine(): boolean {
    return true;
  }

  override value(): StreamResponse {
    return this.frame.event(this.#added);
  }
}
