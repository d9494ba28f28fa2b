/** Half of a character that takes two units: a text must not be cut after it. */
const isLead = (text: string, at: number): boolean => /[\uD800-\uDBFF]/.test(text.charAt(at));
const isTrail = (text: string, at: number): boolean => /[\uDC00-\uDFFF]/.test(text.charAt(at));

/** The first units of a text, at most `length`, without half a character at the end. */
export const headOf = (text: string, length: number): string =>
  text.slice(0, length > 0 && isLead(text, length - 1) && isTrail(text, length) ? length - 1 : length);

/** The last units of a text, at most `length`, without half a character at the beginning. */
export function tailOf(text: string, length: number): string {
  const start = Math.max(0, text.length - length);
  return text.slice(start > 0 && isTrail(text, start) && isLead(text, start - 1) ? start + 1 : start);
}
