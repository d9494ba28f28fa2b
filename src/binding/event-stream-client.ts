import type { FetchResponse } from "../client/fetch-like.js";
import { networkError } from "../client/http-send.js";
import { TakePieces } from "../client/take-pieces.js";
import type { TransportEvent, TransportRequest } from "../client/transport.js";
import { createSseReader, type SseEvent } from "../sse/read.js";
import { eventTooLarge } from "../sse/too-large.js";

/**
 * The events of a reply. `parse` gets each event and gives its value or throws. A body that was mislabelled as a
 * stream (JSON or a page, and not one event in it) goes to `mislabelled` at its end, which throws. Loaded with the first
 * stream: it brings the parser along, which callers that never stream need not carry.
 */
export function streamEvents(
  response: FetchResponse,
  { signal, onProgress }: TransportRequest,
  maxEventBytes: number | undefined,
  parse: (event: SseEvent) => unknown,
  mislabelled: (text: string) => void,
): AsyncIterableIterator<TransportEvent> {
  const reader = createSseReader(eventTooLarge, maxEventBytes);
  const body = response.body?.getReader();

  async function bytes(): Promise<Uint8Array | undefined> {
    try {
      const { done, value = new Uint8Array() } = (await body?.read()) ?? { done: true };
      if (done) return undefined;
      onProgress?.();
      return value;
    } catch (cause) {
      throw networkError(signal, "The connection broke in the middle of a reply", cause);
    }
  }

  return new TakePieces<SseEvent, TransportEvent>({
    async more() {
      const chunk = await bytes();
      if (chunk !== undefined) return reader.push(chunk);
      if (/^\s*[{[<]/.test(reader.head)) mislabelled(reader.head);
      return undefined;
    },
    read(event) {
      const data = parse(event);
      return event.id === undefined ? { data } : { data, id: event.id };
    },
    close() {
      // Does nothing where the body has ended.
      body?.cancel().catch(() => undefined);
    },
  });
}
