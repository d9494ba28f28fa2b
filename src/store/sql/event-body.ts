import type { EventFrame, StoredEvent } from "../types.js";

/**
 * The events of one commit as one text: their lengths, a line end, their texts. Nothing is parsed or escaped. As
 * `encodeFramedEvents` writes it, `head:tail` among the lengths is that of a frame, which stands there once, and `+length` that
 * of what an event has within the frame before it. Bodies stay in databases: each form that was ever written is read, and one
 * more needs a migration, so that who cannot read it refuses the database.
 */
export function encodeEvents(events: readonly StoredEvent[]): string {
  let lengths = "";
  let texts = "";
  for (const { text } of events) {
    lengths += `${lengths === "" ? "" : ","}${String(text.length)}`;
    texts += text;
  }
  return `${lengths}\n${texts}`;
}

/** As `encodeEvents`, but what is around the texts that a handler adds is written once. */
export function encodeFramedEvents(events: readonly StoredEvent[]): string {
  let lengths = "";
  let texts = "";
  let around: EventFrame | undefined;
  for (const event of events) {
    const { frame, part } = event;
    if (lengths !== "") lengths += ",";
    if (frame === undefined || part === undefined) {
      const { text } = event;
      lengths += String(text.length);
      texts += text;
      continue;
    }
    if (frame !== around) {
      around = frame;
      lengths += `${String(frame.head.length)}:${String(frame.tail.length)},`;
      texts += frame.head + frame.tail;
    }
    lengths += `+${String(part.length)}`;
    texts += part;
  }
  return `${lengths}\n${texts}`;
}

/** Characters of a row, about: whoever reads a part of a task's events reads whole rows. */
const ROW = 128 * 1_024;

/** Rows with the events of one commit: one, unless they are very long. */
export function eventRows(
  events: readonly StoredEvent[],
): { readonly first: number; readonly last: number; readonly body: string }[] {
  const rows: { first: number; last: number; body: string }[] = [];
  let from = 0;
  let size = 0;
  for (const [i, { n, text }] of events.entries()) {
    size += text.length;
    if (size < ROW && i < events.length - 1) continue;
    const part = from === 0 && i === events.length - 1 ? events : events.slice(from, i + 1);
    rows.push({ first: n - (i - from), last: n, body: encodeEvents(part) });
    from = i + 1;
    size = 0;
  }
  return rows;
}

/** Adds the events after revision `after` of a body whose first event is `first`; gives the characters of their texts. */
export function decodeEvents(body: string, first: number, after: number, into: StoredEvent[]): number {
  const line = body.indexOf("\n");
  let from = line + 1;
  let n = first;
  let size = 0;
  let head = "";
  let tail = "";
  for (const length of body.slice(0, line).split(",")) {
    const [own, end] = length.split(":");
    const to = from + Number(own);
    if (end !== undefined) {
      head = body.slice(from, to);
      from = to + Number(end);
      tail = body.slice(to, from);
      continue;
    }
    if (n > after) {
      const part = body.slice(from, to);
      const text = length.startsWith("+") ? head + part + tail : part;
      size += text.length;
      into.push({ n, text });
    }
    from = to;
    n += 1;
  }
  return size;
}
