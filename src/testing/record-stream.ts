import { A2AError } from "../errors.js";
import { createSseReader } from "../sse/read.js";
import { toLine, type RecordingSink } from "./recording.js";

/** Passes the events of a client stream on, and writes each as a JSON line. */
export async function* recordStream<T>(
  stream: AsyncIterable<T>,
  sink: RecordingSink,
  now: () => number = Date.now,
): AsyncGenerator<T, void> {
  const started = now();
  for await (const event of stream) {
    sink(toLine({ event, ms: now() - started }));
    yield event;
  }
  sink(toLine({ end: true, ms: now() - started }));
}

/** Writes the events of a `text/event-stream` body as JSON lines; the JSON-RPC envelope, where there is one, is taken off. */
export async function recordSse(
  body: AsyncIterable<Uint8Array>,
  sink: RecordingSink,
  now: () => number = Date.now,
): Promise<void> {
  const started = now();
  const reader = createSseReader(A2AError);
  for await (const chunk of body) {
    for (const { data, id } of reader.push(chunk)) {
      sink(
        toLine({ event: unwrapped(JSON.parse(data)), ...(id !== undefined && { id }), ms: now() - started }),
      );
    }
  }
  sink(toLine({ end: true, ms: now() - started }));
}

const unwrapped = (frame: unknown): unknown =>
  typeof frame === "object" && frame !== null && "jsonrpc" in frame && "result" in frame
    ? frame.result
    : frame;
