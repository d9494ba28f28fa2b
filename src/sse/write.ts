/**
 * One server-sent event (A2A-SSE-b): JSON text on one `data:` line, ended by a blank line. Text that holds line breaks
 * is spread over several `data:` lines, which a reader joins again with LF.
 */
export function sseEvent(data: string, id?: number | string): string {
  const line = /[\n\r]/.test(data) ? data.replace(/\r\n?|\n/g, "\ndata: ") : data;
  return id === undefined ? `data: ${line}\n\n` : `id: ${String(id)}\ndata: ${line}\n\n`;
}

/** A comment: keeps an idle stream open and is ignored by every reader (A2A-SSE-c). */
export function sseComment(text = ""): string {
  return `: ${text.replace(/[\n\r]+/g, " ")}\n\n`;
}
