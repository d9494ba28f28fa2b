import type { ServiceDescriptor } from "../descriptor.js";
import type { A2AError } from "../errors.js";
import { JsonText } from "../json-text.js";
import { sseEvent } from "../sse/write.js";

/** The whole frame of a failure after the first event, in the shape of a version. */
export type ErrorFrame = (service: ServiceDescriptor, error: A2AError) => string;

/**
 * Writes chunks of a stream as server-sent events: `open` + JSON text + `close` on one `data:` line. The text of an event
 * is shared by all who listen; only the envelope around it is the caller's own, and it is made once.
 */
export class EventFrames {
  readonly #head: string;
  readonly #tail: string;
  readonly failure: ErrorFrame;

  constructor(open: string, close: string, failure: ErrorFrame) {
    // Joined, because a string that is added up is a tree, which each event would be written through anew.
    this.#head = [DATA, open].join("");
    this.#tail = [close, "\n\n"].join("");
    this.failure = failure;
  }

  /** The frames of one event, or of several that are ready together: listeners that get the same list share its text. */
  write(chunk: unknown): string {
    if (!Array.isArray(chunk)) return this.#one(chunk);
    const known = chunk === written ? texts.get(this) : undefined;
    if (known !== undefined) return known;
    let text = "";
    for (const event of chunk as readonly unknown[]) text += this.#one(event);
    if (chunk !== written) {
      written = chunk;
      texts.clear();
    }
    if (texts.size < MOST) texts.set(this, text);
    return text;
  }

  #one(event: unknown): string {
    const [head, tail] = [this.#head, this.#tail];
    if (!(event instanceof JsonText)) return head + JSON.stringify(event) + tail;
    const { text, id } = event;
    // Foreign text may be pretty-printed; a line break would end the data line.
    if (!event.oneLine) return sseEvent(head.slice(DATA.length) + text + tail.slice(0, -2), id);
    return id === undefined ? head + text + tail : `id: ${String(id)}\n${head}${text}${tail}`;
  }
}

const DATA = "data: ";

/** The list that was written last, and what it became: a task tells all of its listeners one after the other. */
let written: readonly unknown[] | undefined;
const texts = new Map<EventFrames, string>();
/** Envelopes around the same list whose texts are kept: most listeners have one of few. */
const MOST = 16;
