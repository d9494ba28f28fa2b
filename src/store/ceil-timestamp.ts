/**
 * The first millisecond that is not before an RFC 3339 UTC time of any precision, in the form of `TaskHead.timestamp`:
 * an inclusive filter on it is then a comparison of texts.
 */
export function ceilTimestamp(text: string): string {
  const ms = Date.parse(text.replace(/(\.\d{3})\d*/, "$1"));
  if (Number.isNaN(ms)) return text;
  const finer = /\.\d{3}\d*[1-9]/.test(text);
  return new Date(finer ? ms + 1 : ms).toISOString();
}
