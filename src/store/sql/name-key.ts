import { createHash } from "node:crypto";

/** Index entries of PostgreSQL hold 2.7 kB; a listing has four keys in one, of up to three bytes a character. */
const LONGEST = 200;

/**
 * The text that a name is found by: itself, or where it is too long for an index or holds what a text column cannot
 * (NUL, half a surrogate pair), its beginning, its end and its SHA-256.
 */
export function nameKey(name: string): string {
  if (name.length <= LONGEST && !ODD.test(name)) return name;
  const digest = createHash("sha256").update(JSON.stringify(name)).digest("hex");
  return `${plain(name.slice(0, 60))}${MARK}${plain(name.slice(-20))}${MARK}${digest}`;
}

/** No name that is its own key has it: a key never stands for two names. */
const MARK = "\u0001";
const LONE = "[\\uD800-\\uDBFF](?![\\uDC00-\\uDFFF])|(?<![\\uD800-\\uDBFF])[\\uDC00-\\uDFFF]";
const ODD = new RegExp(`[\\0\\x01]|${LONE}`);
const ODDS = new RegExp(ODD, "g");

const plain = (text: string): string => text.replace(ODDS, "\uFFFD");
