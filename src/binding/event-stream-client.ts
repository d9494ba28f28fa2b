import type { FetchResponse } from "../client/fetch-like.js";
import { chunksOf } from "../client/http-body.js";
import type { TransportEvent, TransportRequest } from "../client/transport.js";
import { createSseReader, type SseEvent } from "../sse/read.js";

/** True where the reply is an event stream. */
export const isEventStream = (response: FetchResponse): boolean =>
  response.status >= 200 &&
  response.status < 300 &&
  /^\s*text\/event-stream\s*(;|$)/i.test(response.headers.get("content-type") ?? "");

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
  const reader = createSseReader(maxEventBytes);
  const decoder = new TextDecoder();
  let head: string | undefined = "";
  for await (const chunk of chunksOf(response, request.signal, request.onProgress)) {
    if (head !== undefined && head.length < 65_536) head += decoder.decode(chunk, { stream: true });
    for (const event of reader.push(chunk)) {
      head = undefined;
      const data = parse(event);
      yield event.id === undefined ? { data } : { data, id: event.id };
    }
  }
  if (head !== undefined && /^\s*[{[<]/.test(head)) mislabelled(head);
}
