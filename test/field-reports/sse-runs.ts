import { expect } from "vitest";
import { A2AError } from "../../src/errors.js";
import { createSseReader } from "../../src/sse/read.js";
import { expectedOf, inputOf, type FieldCase, type Run } from "./cases.js";

/** The JSON of each event, from the bytes as they were cut. */
function eventsOf(chunks: readonly Uint8Array[]): unknown[] {
  const reader = createSseReader(A2AError);
  return chunks.flatMap((chunk) => Array.from(reader.push(chunk), ({ data }) => JSON.parse(data) as unknown));
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const chunksIn = (fieldCase: FieldCase): Uint8Array[] => {
  const { sse, chunks, bytesHex } = inputOf<{ sse?: string; chunks?: string[]; bytesHex?: string[] }>(
    fieldCase,
  );
  return (
    bytesHex?.map((hex) => Uint8Array.from(Buffer.from(hex, "hex"))) ?? (chunks ?? [sse ?? ""]).map(bytes)
  );
};

const reads: Run = (fieldCase) => {
  const { events } = expectedOf<{ events: unknown[] }>(fieldCase);
  const chunks = chunksIn(fieldCase);
  expect(eventsOf(chunks)).toEqual(events);
  // However the network cuts it: the same events byte by byte.
  expect(eventsOf(chunks.flatMap((chunk) => [...chunk].map((byte) => Uint8Array.of(byte))))).toEqual(events);
};

/** Cases of the event stream reader. */
export const sseRuns: Record<string, Run> = {
  B046a: reads,
  B047: reads,
  B048a: reads,
  B048b: reads,
  B049: (fieldCase) => {
    const envelopes = eventsOf(chunksIn(fieldCase)) as { id: number; result: Record<string, unknown> }[];
    expect(envelopes).toHaveLength(1);
    const { status, ...event } = envelopes[0]?.result as { status: { state: string }; contextId: string };
    expect([{ ...event, state: status.state }]).toMatchObject(
      expectedOf<{ events: object[] }>(fieldCase).events,
    );
  },
  B052: reads,
};
