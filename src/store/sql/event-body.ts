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
