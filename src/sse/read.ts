import { createParser } from "eventsource-parser";
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
  let events: SseEvent[] = [];
  let id: string | undefined;
  let oversize = false;
  let head = "";
  let started = false;
  let afterCr = false;
  const parser = createParser({
    maxBufferSize: maxEventBytes,
    onEvent(message) {
      if (message.id !== undefined) id = message.id;
      if (message.data.length > maxEventBytes) oversize = true;
      if (oversize || message.data === "") return;
      started = true;
      events.push({
        data: message.data,
        ...(message.event !== undefined && { event: message.event }),
        ...(id !== undefined && { id }),
      });
    },
    onError(error) {
      if (error.type === "max-buffer-size-exceeded") oversize = true;
    },
  });

  // The parser holds back a CR at the end of a chunk until it has seen the next line break, which delays (or, at the
  // end of the stream, loses) events of servers that end lines with a lone CR. So it is only ever given LF.
  function normalise(text: string): string {
    if (text === "") return text;
    const rest = afterCr && text.startsWith("\n") ? text.slice(1) : text;
    afterCr = text.endsWith("\r");
    return rest.includes("\r") ? rest.replace(/\r\n?/g, "\n") : rest;
  }

  return {
    get head() {
      return started ? "" : head;
    },
    *push(chunk) {
      events = [];
      const text = normalise(decoder.decode(chunk, { stream: true }));
      if (!started) head = (head + text).slice(0, HEAD_LENGTH);
      if (text !== "") parser.feed(text);
      yield* events;
      if (oversize) {
        throw new A2AError("PAYLOAD_TOO_LARGE", `An event exceeds maxEventBytes (${String(maxEventBytes)})`);
      }
    },
  };
}
