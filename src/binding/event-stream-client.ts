import type { ByteReader } from "../client/fetch-like.js";
import { TakePieces } from "../client/take-pieces.js";
import type { TransportEvent } from "../client/transport.js";
import type { A2AError } from "../errors.js";
import { parserOfAlike, type ParseJson } from "../sse/parse-alike.js";
import { createSseReader, type SseEvent } from "../sse/read.js";

/** A body to read events from. */
export interface EventBody {
  readonly body: ByteReader | undefined;
  /** Told that bytes came. */
  readonly onProgress: (() => void) | undefined;
  readonly maxEventBytes: number | undefined;
  /** Gives the value of an event, or throws. `json` parses its text as `parseJson` does, faster where events are alike. */
  readonly parse: (event: SseEvent, json: ParseJson) => unknown;
  /** Gets a body that was mislabelled as a stream (JSON or a page, and not one event in it) at its end, and throws. */
  readonly mislabelled: (text: string) => void;
  /** What is thrown where the connection breaks. */
  readonly broken: (cause: unknown) => unknown;
  /** Of an event that is too large. */
  readonly A2AError: typeof A2AError;
}

/**
 * The events of a reply. Loaded with the first stream: it brings the parser along, which callers that never stream need
 * not carry. It imports nothing that they use as well, so that bundlers can keep it apart.
 */
export function streamEvents(from: EventBody): AsyncIterableIterator<TransportEvent> {
  const { body, onProgress, parse, mislabelled } = from;
  const reader = createSseReader(from.A2AError, from.maxEventBytes);
  const json = parserOfAlike();

  async function bytes(): Promise<Uint8Array | undefined> {
    try {
      const { done, value = new Uint8Array() } = (await body?.read()) ?? { done: true };
      if (done) return undefined;
      onProgress?.();
      return value;
    } catch (cause) {
      throw from.broken(cause);
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
      const data = parse(event, json);
      return event.id === undefined ? { data } : { data, id: event.id };
    },
    close() {
      // Does nothing where the body has ended.
      body?.cancel().catch(() => undefined);
    },
  });
}
