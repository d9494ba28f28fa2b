import type { StoredEvent } from "../types.js";

/** The events of one commit as one text: their lengths, a line end, their texts. Nothing is parsed or escaped. */
export function encodeEvents(events: readonly StoredEvent[]): string {
  let lengths = "";
  let texts = "";
  for (const { text } of events) {
    lengths += `${lengths === "" ? "" : ","}${String(text.length)}`;
    texts += text;
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

/** Adds the events after revision `after` of a body whose first event is `first`. */
export function decodeEvents(body: string, first: number, after: number, into: StoredEvent[]): void {
  const line = body.indexOf("\n");
  let from = line + 1;
  let n = first;
  for (const length of body.slice(0, line).split(",")) {
    const to = from + Number(length);
    if (n > after) into.push({ n, text: body.slice(from, to) });
    from = to;
    n += 1;
  }
}
