import { A2AError } from "../errors.js";

/** One event of a stream. `id` is the last one seen (it carries over to later events); `event` is the type where named. */
export interface SseEvent {
  readonly data: string;
  readonly event?: string;
  readonly id?: string;
}

/** Default cap of one event: 16 Mi UTF-16 units of text (one unit per byte for ASCII). */
const MAX_EVENT_BYTES = 16 * 1024 * 1024;

const HEAD_LENGTH = 65_536;

/** Turns bytes into events, chunk by chunk. */
export interface SseReader {
  /** Events completed by this chunk, in order; then throws `PAYLOAD_TOO_LARGE` when the next one exceeds the cap. */
  push(chunk: Uint8Array): Iterable<SseEvent>;
  /** The text so far, up to the first event: what a body that was mislabelled as a stream says. */
  readonly head: string;
}

/**
 * Reader for `text/event-stream` (A2A-SSE-a): chunks may end anywhere, inside a UTF-8 sequence or between CR and LF
 * too. An event counts once its blank line has come; a half event at the end of the stream is none (WHATWG).
 * Events without data only move the id on and are not returned.
 */
export function createSseReader(maxEventBytes = MAX_EVENT_BYTES): SseReader {
  const decoder = new TextDecoder();
  let head: string | undefined = "";
  let afterCr = false;
  // Of the event and the line that are not complete. Text is only ever appended: nothing is scanned twice.
  let line = "";
  let data: string | undefined;
  let event = "";
  let id: string | undefined;

  /** Takes one field; a line without a colon is a field without a value. */
  function take(): void {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + (line[colon + 1] === " " ? 2 : 1));
    if (name === "data") data = data === undefined ? value : `${data}\n${value}`;
    else if (name === "event") event = value;
    else if (name === "id" && !value.includes("\0")) id = value;
  }

  return {
    get head() {
      return head ?? "";
    },
    *push(chunk) {
      let text = decoder.decode(chunk, { stream: true });
      if (head !== undefined) head = (head + text).slice(0, HEAD_LENGTH);
      const skip = afterCr && text.startsWith("\n");
      if (text !== "") afterCr = text.endsWith("\r");
      // The rest of a line break that began at the end of the last chunk.
      if (skip) text = text.slice(1);
      let first = true;
      for (const piece of text.split(text.includes("\r") ? /\r\n?|\n/ : "\n")) {
        if (first) first = false;
        else if (line !== "") {
          take();
          line = "";
        } else {
          if (data) {
            if (data.length > maxEventBytes) break;
            head = undefined;
            yield { data, ...(event && { event }), ...(id !== undefined && { id }) };
          }
          data = undefined;
          event = "";
        }
        line += piece;
      }
      // Text that is too large stays: the reader goes on refusing.
      if (line.length + (data?.length ?? 0) > maxEventBytes) {
        throw new A2AError("PAYLOAD_TOO_LARGE", `An event exceeds maxEventBytes (${String(maxEventBytes)})`);
      }
    },
  };
}
