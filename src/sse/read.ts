import { createParser } from "eventsource-parser";
import type { A2AError as Failure } from "../errors.js";
import { chunkDecoder } from "./chunk-decoder.js";

/** One event of a stream. `id` is the last one seen (it carries over to later events); `event` is the type where named. */
export interface SseEvent {
  readonly data: string;
  readonly event?: string;
  readonly id?: string;
}

/** Default cap of one event: 16 Mi UTF-16 units of text (one unit per byte for ASCII). */
const MAX_EVENT_BYTES = 16 * 1024 * 1024;

/** What field names may add to the text of an event before its size is known. */
const FIELD_NAMES = 64;

const HEAD_LENGTH = 65_536;

/** Turns bytes into events, chunk by chunk. */
export interface SseReader {
  /** Events completed by this chunk, in order; then `PAYLOAD_TOO_LARGE` where the next one exceeds the cap. */
  push(chunk: Uint8Array): Iterable<SseEvent>;
  /** The text so far, up to the first event: what a body that was mislabelled as a stream says. */
  readonly head: string;
}

/**
 * Reader for `text/event-stream` (A2A-SSE-a): chunks may end anywhere, inside a UTF-8 sequence or between CR and LF
 * too. An event counts once its blank line has come; a half event at the end of the stream is none (WHATWG).
 * Events without data are not returned. It imports nothing that other calls use, so that bundlers can keep it apart:
 * clients load it with their first stream, and hand over the class of its errors.
 */
export function createSseReader(A2AError: typeof Failure, maxEventBytes = MAX_EVENT_BYTES): SseReader {
  const decode = chunkDecoder();
  let events: SseEvent[] = [];
  let id: string | undefined;
  let head: string | undefined = "";
  let afterCr = false;
  // The line that is not complete, and how much the parser holds of the event that is not.
  let line = "";
  let held = 0;
  let oversize = false;
  const parser = createParser({
    onEvent(message) {
      if (message.id !== undefined) id = message.id;
      const { data, event } = message;
      oversize ||= data.length > maxEventBytes;
      if (oversize || data === "") return;
      head = undefined;
      if (event !== undefined) events.push(id === undefined ? { data, event } : { data, event, id });
      else events.push(id === undefined ? { data } : { data, id });
    },
  });

  // The parser holds back a CR at the end of a chunk until the next line break, which delays (or, at the end of the
  // stream, loses) events of servers that end lines with a lone CR; and it scans a half line anew with every chunk.
  // So it is given whole lines that end with LF.
  function feed(text: string): void {
    const end = text.lastIndexOf("\n") + 1;
    if (end === 0) {
      line += text;
      return;
    }
    const lines = line + text.slice(0, end);
    line = text.slice(end);
    const blank = `\n${lines}`.lastIndexOf("\n\n");
    held = blank < 0 ? held + lines.length : lines.length - blank - 1;
    parser.feed(lines);
  }

  function* refused(complete: readonly SseEvent[]): Generator<SseEvent> {
    yield* complete;
    throw new A2AError("PAYLOAD_TOO_LARGE", `An event exceeds maxEventBytes (${String(maxEventBytes)})`);
  }

  return {
    get head() {
      return head ?? "";
    },
    push(chunk) {
      let text = decode(chunk);
      if (head !== undefined) head = (head + text).slice(0, HEAD_LENGTH);
      if (text !== "") {
        const rest = afterCr && text.startsWith("\n") ? text.slice(1) : text;
        afterCr = text.endsWith("\r");
        text = rest.includes("\r") ? rest.replace(/\r\n?/g, "\n") : rest;
      }
      events = [];
      // Text that is too large stays unread: the reader goes on refusing.
      if (!oversize) feed(text);
      oversize ||= held + line.length > maxEventBytes + FIELD_NAMES;
      return oversize ? refused(events) : events;
    },
  };
}
