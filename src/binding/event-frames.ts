import { JsonText } from "../json-text.js";
import { sseEvent } from "../sse/write.js";

/** Writes chunks of a stream as server-sent events: `open` + JSON text + `close` on one `data:` line. */
export type FrameWriter = (chunk: unknown) => string;

/**
 * A writer for one request. The text of an event is shared by all who listen; only the envelope around it is the
 * caller's own, and it is made once.
 */
export function frameWriter(open: string, close: string): FrameWriter {
  const head = `data: ${open}`;
  const tail = `${close}\n\n`;
  const one = (event: unknown): string => {
    if (!(event instanceof JsonText)) return head + JSON.stringify(event) + tail;
    const { text, id } = event;
    // Foreign text may be pretty-printed; a line break would end the data line.
    if (text.includes("\n") || text.includes("\r")) return sseEvent(open + text + close, id);
    return id === undefined ? head + text + tail : `id: ${String(id)}\n${head}${text}${tail}`;
  };
  return (chunk) => {
    if (!Array.isArray(chunk)) return one(chunk);
    let text = "";
    for (const event of chunk as readonly unknown[]) text += one(event);
    return text;
  };
}
