import { toText } from "../json-text.js";

/** A card as it is served: its text and what caches compare. */
export interface CardDocument {
  readonly text: string;
  /** Bytes of the text in UTF-8. */
  readonly bytes: number;
  /** Strong entity tag over the text, quoted. */
  readonly etag: string;
  /** When this text was first seen, to the second. */
  readonly modified: Date;
}

/** Keeps the document while its text stays the same; a changed card gets a new tag and a new date. */
export function createCardDocuments(now: () => number = Date.now): (card: object) => CardDocument {
  let current: CardDocument | undefined;
  return (card) => {
    const text = toText(card);
    if (current?.text !== text) {
      current = {
        text,
        bytes: new TextEncoder().encode(text).length,
        etag: `"${hash(text)}"`,
        modified: new Date(Math.floor(now() / 1000) * 1000),
      };
    }
    return current;
  };
}

/**
 * 64 bits of FNV-1a over the UTF-16 units, as two lanes, plus the length. It tells versions of one card apart, and has
 * to be synchronous and present on every platform; nothing is secured by it.
 */
function hash(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x85ebca6b);
    b ^= b >>> 15;
  }
  const hex = (n: number): string => (n >>> 0).toString(16).padStart(8, "0");
  return `${hex(a)}${hex(b)}-${text.length.toString(16)}`;
}
