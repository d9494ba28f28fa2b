import { isObject } from "../../codec/json.js";

/** Shorter ones occur by chance: what looks like them is left alone. */
const SHORTEST = 8;
/** Less is enough at the end of a text that was shortened; what may follow there: half an escape, a dot or two, a quote. */
const SHORTEST_CUT = 3;
const QUOTE = 4;

/**
 * A value of JSON without secrets that were shown to a peer, which may repeat them, in all its texts and names. Texts are
 * shortened on their way into messages, so the beginning of a secret counts, from 8 characters on.
 */
export function withoutSecrets<T>(value: T, secrets: Iterable<string>): T {
  const spellings = [...secrets].flatMap(spellingsOf).filter((one) => one.length >= SHORTEST);
  if (spellings.length === 0) return value;
  // Texts become texts, and everything else stays what it is.
  return mapTexts(value, (text) => withoutAll(text, spellings)) as T;
}

/** As a whole, by its words (`Bearer`, then the token), and what Basic hides. */
function spellingsOf(secret: string): string[] {
  const words = [secret, ...secret.split(/[\s;]+/), ...secret.split(/[=\s;]+/)];
  const [scheme = "", token = ""] = secret.split(" ");
  if (/^basic$/i.test(scheme)) words.push(...decoded(token));
  return [...new Set(words)];
}

function decoded(token: string): string[] {
  try {
    const bytes = Uint8Array.from(atob(token), (unit) => unit.charCodeAt(0));
    const text = new TextDecoder().decode(bytes);
    return [text, text.slice(text.indexOf(":") + 1)];
  } catch {
    return [];
  }
}

function withoutAll(text: string, spellings: readonly string[]): string {
  let left = text;
  for (const secret of spellings) left = without(left, secret);
  return left;
}

function without(text: string, secret: string): string {
  const units = Array.from(secret, unitOf);
  let out = "";
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    let end = at;
    let count = 0;
    for (const unit of units) {
      const length = lengthOf(unit, text, end);
      if (length === 0) break;
      end += length;
      count++;
    }
    const cut = text.length - end <= QUOTE && count >= SHORTEST_CUT;
    if (count < SHORTEST && !cut) continue;
    out += `${text.slice(from, at)}***`;
    from = end;
    at = end - 1;
  }
  return out + text.slice(from);
}

/** A character, and how URLs and JSON write it. */
interface Unit {
  readonly char: string;
  /** In lower case. */
  readonly escaped: readonly string[];
}

function unitOf(char: string): Unit {
  const bytes = [...new TextEncoder().encode(char)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`);
  const units = char.split("").map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return { char, escaped: [bytes.join(""), units.join(""), `\\${char.toLowerCase()}`] };
}

/** How much of the text at this place is the character, in any spelling; 0: none. */
function lengthOf({ char, escaped }: Unit, text: string, at: number): number {
  if (text.startsWith(char, at)) return char.length;
  const first = text[at];
  if (char === " " && first === "+") return 1;
  if (first !== "%" && first !== "\\") return 0;
  return escaped.find((one) => text.slice(at, at + one.length).toLowerCase() === one)?.length ?? 0;
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((one: unknown) => mapTexts(one, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [change(key), mapTexts(one, change)]));
}
