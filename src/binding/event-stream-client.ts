import type { FetchResponse } from "../client/fetch-like.js";
import { chunksOf } from "../client/http-body.js";
import { isSuccess } from "../client/http-error.js";
import type { TransportEvent, TransportRequest } from "../client/transport.js";
import type { SseEvent } from "../sse/read.js";
import { eventTooLarge } from "../sse/too-large.js";

/** True where the reply is an event stream. */
export const isEventStream = (response: FetchResponse): boolean =>
  isSuccess(response) && /^\s*text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");

/**
 * The events of a reply. `parse` gets each event and gives its value or throws. A body that was mislabelled as a
 * stream (JSON or a page, and not one event in it) goes to `mislabelled` at its end, which throws.
 */
export async function* streamEvents(
  response: FetchResponse,
  request: TransportRequest,
  maxEventBytes: number | undefined,
  parse: (event: SseEvent) => unknown,
  mislabelled: (text: string) => void,
): AsyncGenerator<TransportEvent, void, undefined> {
  // Loaded with the first stream: it brings the parser along, which callers that never stream need not carry.
  const { createSseReader } = await import("../sse/read.js");
  const reader = createSseReader(eventTooLarge, maxEventBytes);
  for await (const chunk of chunksOf(response, request.signal, request.onProgress)) {
    for (const event of reader.push(chunk)) {
      const data = parse(event);
      yield event.id === undefined ? { data } : { data, id: event.id };
    }
  }
  if (/^\s*[{[<]/.test(reader.head)) mislabelled(reader.head);
}
