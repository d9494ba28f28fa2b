import type { Part } from "a2a-typed/v1";

/** What the agent under test does with a message. */
export interface Script {
  /** Answers with a bare message; nothing else happens. */
  readonly reply?: string;
  /** Says WORKING first. */
  readonly working?: true;
  /** Milliseconds of work. */
  readonly workMs?: number;
  /** The parts of one artifact, an event each. */
  readonly chunks?: readonly Part[];
  readonly end?: "completed" | "inputRequired" | "rejected";
  /** Text of the last status. */
  readonly note?: string;
}

/** What a file of the agent is called, and what it holds. */
const file = { filename: "output.txt", mediaType: "text/plain" };

/** Twice the streaming timeout of the kits (2 s): the stream must still be open when they look. */
export const resubscribeMs = 4_000;

const streamed = (...chunks: readonly Part[]): Script => ({ working: true, chunks, end: "completed" });
const artifact = (part: Part): Script => ({ chunks: [part], end: "completed" });

/** What to do by the beginning of a message's id, as the kits expect it. The longest beginning that fits counts. */
export const triggers: Readonly<Record<string, Script>> = {
  "tck-complete-task": { end: "completed", note: "Hello from TCK" },
  "tck-input-required": { end: "inputRequired", note: "What else?" },
  "tck-message-response": { reply: "Direct message response" },
  "tck-artifact-text": artifact({ text: "Generated text content" }),
  "tck-artifact-file-url": artifact({ url: "https://example.com/output.txt", ...file }),
  "tck-artifact-file": artifact({ raw: "dGNr", ...file }),
  "tck-artifact-data": artifact({ data: { key: "value", count: 42 } }),
  "tck-stream-001": streamed({ text: "Stream hello from TCK" }),
  "tck-stream-002": { end: "completed" },
  "tck-stream-003": streamed({ text: "Stream task lifecycle" }),
  "tck-stream-ordering-001": streamed({ text: "Ordered output" }),
  "tck-stream-artifact-text": streamed({ text: "Streamed text content" }),
  "tck-stream-artifact-file": streamed({ raw: "dGNr", ...file }),
  "tck-stream-artifact-chunked": streamed({ text: "chunk-1 " }, { text: "chunk-2" }),
  "tck-reject-task": { end: "rejected", note: "rejected" },
  "test-resubscribe-message-id": { working: true, workMs: resubscribeMs, end: "completed" },
  // Any other message of the kit for 1.0.
  "tck-": { end: "completed" },
  // The kit for 0.3 goes on with the task of any message, and cancels it.
  "": { working: true, end: "inputRequired", note: "What else?" },
};

const longestFirst = Object.keys(triggers).toSorted((a, b) => b.length - a.length);

/** The script of a message. */
export function scriptOf(messageId: string): Script {
  const found = longestFirst.find((beginning) => messageId.startsWith(beginning)) ?? "";
  return triggers[found] ?? {};
}
